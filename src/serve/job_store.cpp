#include "serve/job_store.h"

#include <random>

namespace tritonrl::serve {
namespace {

// 128 bits of the system's own randomness, in hexadecimal digits.
std::string fresh_name() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 4; ++i) {
    for (std::uint32_t bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4) out += "0123456789abcdef"[bits & 15];
  }
  return out;
}

}  // namespace

std::optional<std::string> JobStore::add(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  drop_old(now);
  if (jobs_.size() >= most_) return std::nullopt;
  std::string name = fresh_name();
  jobs_.emplace(name, Kept{{}, done_.end()});
  return name;
}

void JobStore::finish(const std::string& name, std::string result, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) return;
  found->second.job = {.done = true, .result = std::move(result)};
  found->second.age = done_.emplace(done_.end(), now, name);
}

void JobStore::remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  jobs_.erase(name);
}

std::optional<JobStore::Job> JobStore::find(const std::string& name, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  drop_old(now);
  const auto found = jobs_.find(name);
  return found == jobs_.end() ? std::nullopt : std::optional<Job>(found->second.job);
}

std::size_t JobStore::size() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void JobStore::drop_old(Clock::time_point now) {
  while (!done_.empty() && done_.front().first + lifetime_ <= now) {
    jobs_.erase(done_.front().second);
    done_.pop_front();
  }
}

}  // namespace tritonrl::serve
