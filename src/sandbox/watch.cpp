#include "sandbox/watch.h"

#include <algorithm>
#include <utility>

#include "sandbox/proc_stat.h"
#include "sandbox/scratch.h"

namespace tritonrl::sandbox {

Watch::Watch(const Policy& policy, int proc, pid_t leader, std::string scratch)
    : policy_(policy), proc_(proc), leader_(leader), scratch_(std::move(scratch)) {
  if (const auto now = read_stat(proc, leader)) resident_at_start_ = now->resident_bytes;
  if (!scratch_.empty()) free_at_start_ = free_bytes(scratch_);
}

// A group of processes is found by a walk of /proc, which on a busy machine is work.
std::chrono::milliseconds Watch::interval() const {
  return std::chrono::milliseconds(policy_.processes ? 100 : 20);
}

std::vector<pid_t> Watch::group() const {
  const bool filtered = policy_.protections.seccomp && policy_.level != Level::kNone;
  if (filtered && !policy_.processes) return {leader_};
  // The filter forbids setsid, so the session is the group.
  std::vector<pid_t> out = all_processes(proc_);
  std::erase_if(out, [&](pid_t pid) {
    const auto stat = read_stat(proc_, pid);
    return !stat || stat->session != leader_;
  });
  return out;
}

std::optional<std::string> Watch::tasks_or_memory(const std::vector<pid_t>& group) const {
  std::int64_t tasks = 0, bytes = 0;
  for (const pid_t pid : group) {
    const auto stat = read_stat(proc_, pid);
    if (!stat) continue;
    tasks += stat->tasks;
    bytes += std::max<std::int64_t>(0, stat->resident_bytes - resident_at_start_);
  }
  if (tasks > policy_.threads) {
    return std::to_string(tasks) + " threads and processes, allowed " + std::to_string(policy_.threads);
  }
  if (bytes > policy_.memory_bytes) {
    return std::to_string(bytes) + " bytes of memory, allowed " + std::to_string(policy_.memory_bytes);
  }
  return std::nullopt;
}

// Asking which files a process holds is work too, and pointless while the disk does not fill.
std::optional<std::string> Watch::hidden_files(const std::vector<pid_t>& group) const {
  if (free_at_start_ - free_bytes(scratch_) <= policy_.scratch_bytes) return std::nullopt;
  for (const pid_t pid : group) {
    if (holds_unlinked(proc_, pid, scratch_))
      return "the disk fills while unlinked files of the scratch folder are held";
  }
  return std::nullopt;
}

std::optional<std::string> Watch::exceeded() {
  const auto now = std::chrono::steady_clock::now();
  if (!policy_.processes && wants_processor(proc_, leader_)) wanted_ += now - looked_;
  looked_ = now;
  const std::vector<pid_t> members = group();
  if (auto why = tasks_or_memory(members)) return why;
  if (scratch_.empty()) return std::nullopt;
  if (auto why = scratch_exceeded(scratch_, policy_)) return why;
  return hidden_files(members);
}

}  // namespace tritonrl::sandbox
