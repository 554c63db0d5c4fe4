#include "http/retry.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tritonrl::http {
namespace {

constexpr std::int64_t kLongestPauseMs = 60'000;

// False if it was cancelled.
bool slept(std::int64_t milliseconds, const std::function<bool()>& cancelled) {
  constexpr std::chrono::milliseconds kStep(50);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    if (cancelled && cancelled()) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return true;
    std::this_thread::sleep_for(cancelled ? std::min(left, kStep) : left);
  }
}

}  // namespace

bool Retry::again(const ClientAnswer& answer, const std::function<bool()>& cancelled) {
  const int most = answer.unreachable ? std::min(most_, most_unreachable_) : most_;
  if (!answer.passing() || tried_ >= most) return false;
  ++tried_;
  std::int64_t pause = pause_ms_;
  if (answer.retry_after_seconds) pause = *answer.retry_after_seconds * 1000;
  pause_ms_ = std::min(pause_ms_ * 2, kLongestPauseMs);
  return slept(std::min(pause, kLongestPauseMs), cancelled);
}

void Retry::reset() {
  tried_ = 0;
  pause_ms_ = first_pause_ms_;
}

}  // namespace tritonrl::http
