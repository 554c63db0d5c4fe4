#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_log.h"
#include "base/result.h"

namespace tritonrl::track {

// Named values of one step, in the order in which they are written: {"loss", 1.21}, {"learning_rate", 2e-4}.
using Values = std::vector<std::pair<std::string, double>>;

struct StepMetrics {
  std::int64_t step = 0;
  Values values;  // NaN and infinities are kept as NaN
  bool operator==(const StepMetrics&) const = default;
};

// One line of JSON: {"step":12,"loss":1.21}. What is no finite number is null.
std::string to_json(const StepMetrics& metrics);
base::Result<StepMetrics> step_metrics_from_json(std::string_view line);

struct MetricsFileOptions {
  // After so many lines the disk is waited for; 0: only at sync(). A machine that loses power loses what was not
  // synced; a killed process loses nothing.
  int sync_every = 0;
};

// The metrics of a run: metrics.jsonl, one line a step (or several, where several parts of a run have values to say).
// For one thread at a time.
class MetricsFile {
 public:
  // Opens or makes the file. Lines of steps after `last_step` are cut off: a run that goes on from a checkpoint writes
  // them again (-1: all go). UserError names the line that is none of ours, or if the file cannot be written.
  MetricsFile(const std::filesystem::path& path, std::int64_t last_step, const MetricsFileOptions& options = {});

  // Steps must not go back.
  void write(const StepMetrics& metrics);
  // To be called before a checkpoint says that its step is done.
  void sync() { log_.sync(); }

 private:
  MetricsFileOptions options_;
  base::LineLog log_;
  std::int64_t step_;
  int unsynced_ = 0;
};

// All whole lines, a torn last one left out. UserError names the line that cannot be read.
std::vector<StepMetrics> read_metrics(const std::filesystem::path& path);

}  // namespace tritonrl::track
