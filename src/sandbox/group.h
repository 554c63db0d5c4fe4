#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace tritonrl::sandbox {

// What was left of a group of processes once all of it was reaped.
struct Remains {
  std::optional<int> status;  // wait status of the leader; none if it could not be killed in time
  std::int64_t cpu_ms = 0;
  std::int64_t peak_bytes = 0;
};

// Kills the calling process's child `leader`, its process group and (with `adopted`) every other child that the calling
// process has got as a subreaper, and reaps them all. `proc`: a descriptor of /proc. Gives up after five seconds.
Remains kill_group(pid_t leader, bool adopted, int proc);

}  // namespace tritonrl::sandbox
