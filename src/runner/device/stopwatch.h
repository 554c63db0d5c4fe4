#pragma once

#include <cuda.h>

namespace tritonrl::runner {

// The GPU's own clock: time between two places in the stream that torch uses.
class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start();
  void stop();
  double milliseconds();  // waits for the GPU

 private:
  CUevent begin_ = nullptr, end_ = nullptr;
};

}  // namespace tritonrl::runner
