#pragma once

#include <string>
#include <vector>

namespace tritonrl::base {

// `folders` (with colons between them), then those where this process's own environment lets the loader look.
std::string loader_path(const std::string& folders);

// The same as the line of a new environment; none where both say nothing.
std::vector<std::string> loader_environment(const std::string& folders = {});

// For the program that this process becomes: its loader looks into `folders` first. Processes that it starts do not,
// once it has called leave_loader_path().
void set_loader_path(const std::string& folders);
void leave_loader_path();

}  // namespace tritonrl::base
