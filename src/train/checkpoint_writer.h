#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "record/checkpoint_folder.h"
#include "train/checkpoint.h"

namespace tritonrl::train {

struct WriterOptions {
  int keep = 2;                                      // newest checkpoints that stay
  std::filesystem::path mirror;                      // second folder that gets a copy; empty: none
  std::function<void(const std::string&)> say = {};  // lines for a person; may be empty
};

// Where a stage leaves its checkpoints and its result, with a copy at the same place of the mirror.
class CheckpointWriter {
 public:
  CheckpointWriter(record::CheckpointFolder checkpoints, std::string stage, WriterOptions options)
      : checkpoints_(std::move(checkpoints)), stage_(std::move(stage)), options_(std::move(options)) {}

  // What a run needs to go on behind `step`; older ones go.
  std::filesystem::path save(std::int64_t step, const TrainedModel& trained, const Optimizer& optimizer,
                             const std::string& state) const;
  // The result of the stage, read back. UserError if it does not load or is empty.
  std::filesystem::path finish(const TrainedModel& trained) const;

 private:
  // A second place that fails is no reason to lose the first.
  void copy_to(const std::filesystem::path& place, const std::filesystem::path& folder) const;

  record::CheckpointFolder checkpoints_;
  std::string stage_;
  WriterOptions options_;
};

}  // namespace tritonrl::train
