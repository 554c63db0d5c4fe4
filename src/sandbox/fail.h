#pragma once

#include <string>

#include "base/error.h"

namespace tritonrl::sandbox {

// A system call failed; errno says why.
[[noreturn]] inline void fail(const std::string& what) {
  throw base::InfrastructureError("sandbox", base::system_message(what));
}

}  // namespace tritonrl::sandbox
