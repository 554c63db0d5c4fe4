#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace tritonrl::evaluate {

// How two evaluations differ on the tasks that both judged.
struct PairedDifference {
  std::int64_t tasks = 0;
  std::int64_t both = 0, only_first = 0, only_second = 0;  // solved, by first answers
  double p = 1;                                            // McNemar's exact test
};
PairedDifference paired_difference(const base::Json& first, const base::Json& second);

// Reads a file of `tritonrl eval`. UserError if it is none.
base::Json read_evaluation(const std::filesystem::path& path);

// Files of `tritonrl eval` side by side, each against the first; says where they were not made alike (judge, timing,
// tasks). `json`: the same for programs.
std::string comparison_text(std::span<const std::filesystem::path> paths);
base::Json comparison_json(std::span<const std::filesystem::path> paths);

}  // namespace tritonrl::evaluate
