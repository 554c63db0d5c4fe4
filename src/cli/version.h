#pragma once

#include <string>
#include <vector>

namespace tritonrl::cli {

// `--version`, and `--version --json` for programs: version, commit, how and for what it was built. The exit code.
int print_version(const std::vector<std::string>& words_behind);

}  // namespace tritonrl::cli
