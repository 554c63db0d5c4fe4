#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// A new folder in `place` that only this user can enter. InfrastructureError if it cannot be made.
std::string make_scratch(const std::string& place);

// Removes the folder and all in it, however deep and whatever its modes; follows no link. False if something is left.
bool remove_scratch(const std::string& folder);

// What is wrong with the folder of a running process, if anything: more bytes or files than the policy allows, or parts
// that cannot be counted. Stops looking as soon as it knows.
std::optional<std::string> scratch_exceeded(const std::string& folder, const Policy& policy);

// Whether process `pid` holds, open or mapped, a file of `folder` that has no name any more, which no walk of the
// folder can count. `proc` is a descriptor of /proc.
bool holds_unlinked(int proc, int pid, const std::string& folder);

// Bytes left to users on the folder's file system; 0 if that cannot be told.
std::int64_t free_bytes(const std::string& folder);

}  // namespace tritonrl::sandbox
