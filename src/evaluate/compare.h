#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::evaluate {

// Files of `tritonrl eval` side by side, each against the first; says where they were not made alike (judge, timing,
// tasks). `json`: the same for programs.
std::string comparison_text(std::span<const std::filesystem::path> paths);
base::Json comparison_json(std::span<const std::filesystem::path> paths);

}  // namespace tritonrl::evaluate
