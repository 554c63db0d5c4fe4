#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "evaluate/sample_result.h"

namespace tritonrl::evaluate {

// What KernelBench's own analysis reads (its scripts/benchmark_eval_analysis.py), a level each:
//   FOLDER/NAME_level1/eval_results.json, pass_at_k_results.json    answers, the first of each task as sample 0
//   FOLDER/NAME_level1/metrics.json                                 our own figures of the same tasks (metrics.h)
//   FOLDER/NAME_baseline.json                                       times that speed-ups are over
// Times are milliseconds, -1 where there is none. Tasks whose first answer could not be judged are in none of them, as
// they are in no rate of ours. Gives the files. UserError where no task is one of KernelBench's.
std::vector<std::filesystem::path> write_kernelbench_files(const std::filesystem::path& folder, const std::string& name,
                                                           std::span<const SampleResult> results);

}  // namespace tritonrl::evaluate
