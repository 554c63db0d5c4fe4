#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "record/run_manifest.h"
#include "track/event_file.h"
#include "track/metrics_file.h"

namespace tritonrl::train {

// The files of one run: runs/<name>/ manifest.json, metrics.jsonl, TensorBoard's events, training.log.
class RunFiles {
 public:
  // Makes the folder. Metrics of steps after `last_step` go: they will be done again.
  RunFiles(const std::filesystem::path& folder, std::int64_t last_step);

  // A line of metrics.jsonl, and the same for TensorBoard.
  void metrics(const track::StepMetrics& metrics);
  // A line of training.log, with the time in front.
  void log(const std::string& line);
  void manifest(const record::RunManifest& manifest);
  // When the run began, by the manifest that it wrote then.
  std::optional<std::string> started() const;
  // Returns once the metrics so far are on the disk.
  void sync();

 private:
  std::filesystem::path folder_;
  track::MetricsFile metrics_;
  track::EventFile events_;
  base::UniqueFd log_;
};

std::string utc_now();  // "2026-11-16T15:00:00Z"

}  // namespace tritonrl::train
