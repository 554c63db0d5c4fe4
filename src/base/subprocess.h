#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tritonrl::base {

struct CommandResult {
  bool started = false;  // false: the program does not exist or may not be executed
  bool timed_out = false;
  int exit_code = -1;  // 128 + signal if one ended it
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs argv[0] (looked up in PATH) without a shell and waits. For trusted helpers only: nothing is confined.
CommandResult run_command(const std::vector<std::string>& argv,
                          std::chrono::milliseconds limit = std::chrono::seconds(60));

}  // namespace tritonrl::base
