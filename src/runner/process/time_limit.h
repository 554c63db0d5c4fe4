#pragma once

#include <cstdint>

namespace tritonrl::runner {

// The process exits with kTimeIsOver if it lives that long. Only one at a time.
class TimeLimit {
 public:
  explicit TimeLimit(std::int64_t milliseconds);  // <= 0: none
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
};

}  // namespace tritonrl::runner
