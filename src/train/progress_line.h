#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tritonrl::train {

// Where a run stands: "step 120/500, loss 1.2345, 1.21M tokens/s, 5.3 TFLOP/s, 3 min 2 s left, 12.1 GiB".
struct Standing {
  std::int64_t step = 0, steps = 0;
  double loss = 0;
  double tokens_per_second = 0, flops = 0;  // flops: a second, of the model alone
  double seconds_left = 0;
  std::int64_t memory = 0;  // the most so far, in bytes
};
std::string text_of(const Standing& standing);

// Shows it: one line that is drawn again on a terminal, a line every few seconds elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(int fd = 2);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const Standing& standing, bool last);

 private:
  int fd_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point shown_{};
};

}  // namespace tritonrl::train
