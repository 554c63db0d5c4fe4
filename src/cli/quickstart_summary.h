#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace tritonrl::cli {

// What each step added, by files of `tritonrl eval` on the same tasks: rates with intervals, and for each step what an
// exact paired test says of it. A difference that may be chance is called that, a loss a loss.
std::string quickstart_summary(std::span<const std::filesystem::path> evaluations);

// What became of the module, by the proof of `tritonrl optimize`.
std::string module_summary(const std::filesystem::path& proof);

}  // namespace tritonrl::cli
