#pragma once

#include <sys/types.h>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// What the filter depends on beside the policy.
struct FilterContext {
  pid_t self = 0;                // the pid that the process sees as its own
  bool signals_bounded = false;  // a signal cannot reach a process outside (pid namespace, or Landlock version 6)
  bool files_bounded = false;    // every file outside the scratch is on a read-only mount
  bool tasks_bounded = false;    // no process outside has a pid here
};

// Restricts the calling thread and its descendants for good to the system calls of an allow-list; all others fail with
// EPERM (clone3 and openat2 with ENOSYS, so that the C library falls back). No sockets, no signals to others, no new
// files in memory, no other namespaces; no new processes and no exec unless `policy.processes`. `policy.devices` adds
// what CUDA's driver needs, and local sockets that reach nobody. Needs no_new_privs.
void restrict_by_seccomp(const Policy& policy, const FilterContext& context);

}  // namespace tritonrl::sandbox
