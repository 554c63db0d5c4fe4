#pragma once

#include <stdexcept>
#include <string>

namespace tritonrl::base {

// The user must fix something: a missing file, a bad option, a machine without a library. Exit code 2.
// The message names the file, the field and the fix; `[module]` in front says who found it.
class UserError : public std::runtime_error {
 public:
  UserError(const std::string& module, const std::string& message)
      : std::runtime_error("[" + module + "] " + message) {}
};

// Ours, and no candidate's fault: a system call failed, a worker died. Exit code 3.
class InfrastructureError : public std::runtime_error {
 public:
  InfrastructureError(const std::string& module, const std::string& message)
      : std::runtime_error("[" + module + "] " + message) {}
};

// "what: strerror(errno)" of the last failed system call.
std::string system_message(const std::string& what);

}  // namespace tritonrl::base
