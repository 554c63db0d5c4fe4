#pragma once

#include <cstdint>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// Address space that the calling process has mapped. InfrastructureError if there is no /proc.
std::int64_t mapped_bytes();

// Sets the limits of the calling process, soft and hard; `mapped` is its address space at the start. What they cannot
// bound (memory of a process with devices, tasks of root, of kernels before 5.14 and without namespaces; all of a
// scratch folder) the keeper counts.
void set_limits(const Policy& policy, std::int64_t mapped);

// Makes the process the first that the kernel kills when memory runs out.
void volunteer_for_oom();

}  // namespace tritonrl::sandbox
