#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace tritonrl::base {

// The moment at which something has to be over; made without one: never.
class Deadline {
 public:
  Deadline() = default;
  static Deadline in_ms(std::int64_t milliseconds) {
    Deadline out;
    out.at_ = Clock::now() + std::chrono::milliseconds(milliseconds);
    return out;
  }

  bool over() const { return at_ && Clock::now() >= *at_; }

  // Of `wanted` milliseconds those that are left, at least one.
  std::int64_t at_most(std::int64_t wanted) const {
    if (!at_) return wanted;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*at_ - Clock::now()).count();
    return std::clamp<std::int64_t>(left, 1, std::max<std::int64_t>(wanted, 1));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> at_;
};

}  // namespace tritonrl::base
