#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "record/sample_result.h"

namespace tritonrl::record {

// Reads a file of `tritonrl eval` (docs/evaluation.md). UserError if it is none.
base::Json read_evaluation(const std::filesystem::path& path);
// Its `detailed_results`.
std::vector<SampleResult> results_of(const base::Json& evaluation);
// A rate of `metrics` with its interval: "52.0 % (42.3 to 61.5)"; a dash where there is none.
std::string rate_text(const base::Json& metrics, const std::string& name);

// The answers to one task.
struct TaskResult {
  const SampleResult* first = nullptr;       // the greedy answer where there is one, else sample 0
  std::vector<const SampleResult*> samples;  // at the sampling's temperature
  bool degenerate = false;                   // as one of them says: those without code do not know it
};

// By task, in the order of the results, which must outlive this.
std::vector<TaskResult> by_task(std::span<const SampleResult> results);

// How two evaluations differ on the tasks that both judged.
struct PairedDifference {
  std::int64_t tasks = 0;
  std::int64_t both = 0, only_first = 0, only_second = 0;  // solved, by first answers
  double p = 1;                                            // McNemar's exact test
};
PairedDifference paired_difference(const base::Json& first, const base::Json& second);

// What two evaluations should share for their rates to be compared, and do not: a line each.
std::vector<std::string> doubts(const base::Json& first, const base::Json& second);

}  // namespace tritonrl::record
