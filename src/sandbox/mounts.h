#pragma once

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// For the first process of a new pid namespace, in a mount namespace of its own: every mount read-only, a /proc that
// shows this pid namespace alone (an empty folder where the kernel refuses that, as in containers that mask parts of
// /proc), an empty tmpfs over `policy.scratch`. With `policy.devices` the /proc must be had, and the process's own
// threads are writable in it. InfrastructureError names the step that was refused.
void arrange_mounts(const Policy& policy);

// The way of kernels before 5.12 to make every mount read-only: one by one, from /proc/self/mountinfo.
void make_read_only_by_list();

}  // namespace tritonrl::sandbox
