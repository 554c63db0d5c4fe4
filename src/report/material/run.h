#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/run_manifest.h"
#include "report/chart/chart.h"
#include "report/material/answers.h"

namespace tritonrl::report {

// What a training run left in its folder. Any part may be missing.
struct Run {
  std::string name;  // unlike all others of the report
  std::filesystem::path folder;
  std::string stage;  // the verb that made it: "sft", "rl"; empty: not known
  std::optional<record::RunManifest> manifest;
  std::vector<Curve> metrics;          // a curve a name, in the order in which they came
  std::optional<AnswerTally> answers;  // of reinforcement learning

  // Null where the run did not say it.
  const std::vector<Point>* find(const std::string& metric) const;
  std::optional<double> last(const std::string& metric) const;
  // The mean of the last tenth of its steps: one step alone is noise.
  std::optional<double> late(const std::string& metric) const;
};

// How long a run worked, and how that is known.
struct RunTime {
  double seconds = 0;
  std::string source;
};
std::optional<RunTime> time_of(const Run& run);

// Reads manifest.json, metrics.jsonl and ledger.sqlite. UserError if the folder has none of them, or names the one that
// is damaged.
Run read_run(const std::filesystem::path& folder);

}  // namespace tritonrl::report
