#pragma once

#include <string>
#include <vector>

namespace tritonrl::cli {

struct Shown {
  int exit_code = -1;
  std::string text;  // both outputs as the terminal gets them, carriage returns before newlines left out
};

// Runs a command with a terminal of so many columns as its input and both its outputs.
Shown run_on_terminal(const std::vector<std::string>& command, int columns);

}  // namespace tritonrl::cli
