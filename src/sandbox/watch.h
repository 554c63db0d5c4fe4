#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// Counts what rlimits cannot: tasks and memory of a whole group of processes, and (without namespaces) all of its
// scratch folder. Between two looks a process can pass its limits, by what it does in one interval.
class Watch {
 public:
  // `proc`: a descriptor of the /proc in which `leader` is the process's pid. `scratch` is empty if a tmpfs bounds it.
  // `policy` must outlive the watch.
  Watch(const Policy& policy, int proc, pid_t leader, std::string scratch);

  std::chrono::milliseconds interval() const;
  // The limit that the group has passed, if any.
  std::optional<std::string> exceeded();
  // For how long it wanted a processor, as far as looks tell. Zero for a group of processes: who waits for whom there
  // is its own choice.
  std::chrono::milliseconds wanted() const { return std::chrono::duration_cast<std::chrono::milliseconds>(wanted_); }

 private:
  std::vector<pid_t> group() const;
  std::optional<std::string> tasks_or_memory(const std::vector<pid_t>& group) const;
  std::optional<std::string> hidden_files(const std::vector<pid_t>& group) const;

  const Policy& policy_;
  int proc_;
  pid_t leader_;
  std::string scratch_;
  std::int64_t resident_at_start_ = 0;
  std::int64_t free_at_start_ = 0;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration wanted_{0};
};

}  // namespace tritonrl::sandbox
