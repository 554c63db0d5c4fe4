#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/unique_fd.h"
#include "record/run_manifest.h"

namespace tritonrl::train {

// The files of one run: runs/<name>/ manifest.json, metrics.jsonl, training.log.
class RunFiles {
 public:
  // Makes the folder. `metrics_bytes`: what of the metrics is kept, the rest is of steps that will be done again; a
  // file that is shorter (the machine lost it) stays as it is.
  RunFiles(const std::filesystem::path& folder, std::int64_t metrics_bytes);

  // One line of metrics.jsonl.
  void metrics(const base::Json& line);
  // A line of training.log, with the time in front.
  void log(const std::string& line);
  void manifest(const record::RunManifest& manifest);
  // When the run began, by the manifest that it wrote then.
  std::optional<std::string> started() const;

  // The metrics so far are on the disk; how long their file is.
  std::int64_t sync_metrics();
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path metrics_path() const { return folder_ / "metrics.jsonl"; }

 private:
  std::filesystem::path folder_;
  base::UniqueFd metrics_, log_;
};

std::string utc_now();  // "2026-11-16T15:00:00Z"

}  // namespace tritonrl::train
