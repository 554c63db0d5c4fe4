#pragma once

#include <string>

namespace tritonrl::cli {

// The text of a file named on the command line; "-" is standard input. UserError if it is missing, a directory or
// unreadable.
std::string read_source(const std::string& name);

}  // namespace tritonrl::cli
