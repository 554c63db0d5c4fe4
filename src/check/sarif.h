#pragma once

#include <filesystem>
#include <string>

#include "check/report.h"

namespace tritonrl::check {

// The findings as SARIF 2.1.0, for code hosts: each with its rule, line and message, and the launch as a related place.
// Files below `root` are named from there, as hosts want it.
std::string sarif_text(const Report& report, const std::filesystem::path& root);

}  // namespace tritonrl::check
