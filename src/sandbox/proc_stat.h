#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tritonrl::sandbox {

// Some of /proc/<pid>/stat.
struct ProcStat {
  pid_t parent = 0;
  pid_t session = 0;
  std::int64_t tasks = 0;
  std::int64_t resident_bytes = 0;
  std::int64_t cpu_ticks = 0;  // user and system time of all its threads
};

// None if there is no such process. `proc`: a descriptor of /proc.
std::optional<ProcStat> read_stat(int proc, pid_t pid);

// Whether one of its threads runs or waits for a processor. False if there is no such process.
bool wants_processor(int proc, pid_t pid);

// Every process that the /proc behind `proc` shows.
std::vector<pid_t> all_processes(int proc);

}  // namespace tritonrl::sandbox
