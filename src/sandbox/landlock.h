#pragma once

#include <string>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// The kernel's Landlock version; 0 where it is missing or switched off.
int landlock_abi();

// Restricts the calling thread and its descendants for good: reads only below `policy.readable`, writes only below
// `scratch` and to `policy.devices`, no TCP, no signals or abstract sockets to the outside, as far as `abi` knows them.
// Needs no_new_privs.
void restrict_by_landlock(const Policy& policy, const std::string& scratch, int abi);

}  // namespace tritonrl::sandbox
