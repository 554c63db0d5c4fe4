#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace tritonrl::serve {

// The jobs that somebody will ask for: so many at most, and done ones for so long. Thread-safe.
class JobStore {
 public:
  using Clock = std::chrono::steady_clock;
  JobStore(std::size_t most, Clock::duration lifetime) : most_(most), lifetime_(lifetime) {}

  // The name of a new job, which nobody can guess; none where there are too many that are not yet old.
  std::optional<std::string> add(Clock::time_point now = Clock::now());
  // A line of JSON, kept from now on for the lifetime.
  void finish(const std::string& name, std::string result, Clock::time_point now = Clock::now());
  // It was never begun, after all.
  void remove(const std::string& name);

  struct Job {
    bool done = false;
    std::string result;
  };
  std::optional<Job> find(const std::string& name, Clock::time_point now = Clock::now());

  std::size_t size() const;

 private:
  struct Kept {
    Job job;
    std::list<std::pair<Clock::time_point, std::string>>::iterator age;  // of a done one
  };
  void drop_old(Clock::time_point now);

  const std::size_t most_;
  const Clock::duration lifetime_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Kept> jobs_;
  std::list<std::pair<Clock::time_point, std::string>> done_;  // the oldest first
};

}  // namespace tritonrl::serve
