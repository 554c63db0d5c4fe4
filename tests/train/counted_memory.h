#pragma once

#include <cstdint>

namespace tritonrl::train {

// While it lives, what torch allocates on the CPU is counted. One at a time.
class CountedMemory {
 public:
  CountedMemory();
  ~CountedMemory();
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

  // The most bytes that were there at once, of those that were allocated since it began.
  std::int64_t peak() const;
};

}  // namespace tritonrl::train
