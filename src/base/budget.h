#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tritonrl::base {

// What processes that work for one party may take: until when, and how much memory together. Made without: no end, and
// as much as each process's own policy allows. Copies share what is noted.
class Budget {
 public:
  Budget() = default;
  // `memory_bytes` 0: as the policies say. With `patience` all limits of time are so many times as long.
  static Budget of(std::int64_t milliseconds, std::int64_t memory_bytes = 0, int patience = 1) {
    Budget out;
    out.end_ = Clock::now() + std::chrono::milliseconds(milliseconds * patience);
    out.memory_bytes_ = memory_bytes;
    out.patience_ = patience;
    return out;
  }

  // The same for a process beside which another of the same party may live: half of the memory.
  Budget beside_another() const {
    Budget out = *this;
    out.memory_bytes_ = (memory_bytes_ + 1) / 2;
    return out;
  }

  // The limit of time of one process that has `milliseconds` where the machine is not busy.
  std::int64_t patient(std::int64_t milliseconds) const { return milliseconds * patience_; }

  // A process of the party was denied the processor time that it asked for.
  void note_starved() const { *starved_ = true; }
  bool starved() const { return *starved_; }

  bool over() const { return end_ && Clock::now() >= *end_; }

  // Of `wanted` milliseconds those that are left, at least one.
  std::int64_t at_most(std::int64_t wanted) const {
    if (!end_) return wanted;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*end_ - Clock::now()).count();
    return std::clamp<std::int64_t>(left, 1, std::max<std::int64_t>(wanted, 1));
  }

  // Of `wanted` bytes of memory those that a process may have.
  std::int64_t memory_at_most(std::int64_t wanted) const {
    return memory_bytes_ > 0 ? std::min(wanted, memory_bytes_) : wanted;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
  std::int64_t memory_bytes_ = 0;
  int patience_ = 1;
  std::shared_ptr<std::atomic<bool>> starved_ = std::make_shared<std::atomic<bool>>(false);
};

// What is said of a process that was late.
inline std::string no_answer_within(std::int64_t milliseconds) {
  constexpr std::int64_t kNothing = 50;  // no process begins in that
  return milliseconds <= kNothing ? "no time was left: what came before took all of it"
                                  : "no answer within " + std::to_string(milliseconds) + " ms";
}

}  // namespace tritonrl::base
