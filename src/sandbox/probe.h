#pragma once

#include <string>

#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// What this kernel, as it is configured for this user and container, lets a sandbox use.
struct Capabilities {
  bool user_namespaces = false;  // and all that kFull does in them
  bool own_proc = false;         // kFull's processes can have a /proc of their own, which those with devices need
  bool seccomp = false;
  int landlock_abi = 0;           // 0: none
  std::string why_no_namespaces;  // what was refused and which setting may be the reason; empty if nothing
  std::string why_no_seccomp;
};

// By really trying, in a forked process. Tens of milliseconds.
Capabilities probe();

// The strongest level that these capabilities allow, to a policy with `devices` or to one without.
Level best_level(const Capabilities& capabilities, bool devices = false);

}  // namespace tritonrl::sandbox
