#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/checkpoint_folder.h"
#include "record/run_manifest.h"
#include "train/checkpoint.h"
#include "train/communicator.h"
#include "train/example.h"
#include "train/options.h"

namespace tritonrl::train {

// Everything that a stage trains with. The model is already that of `from` where the run goes on.
struct Stage {
  std::string name;                      // "pretrain", "sft"
  record::CheckpointFolder checkpoints;  // where it leaves its result
  std::filesystem::path run;             // folder of metrics, log and manifest
  TrainOptions options;
  model::Transformer& model;
  std::optional<weights::AdapterConfig> adapter;  // none: all parameters are trained
  std::filesystem::path tokenizer;                // folder of the tokenizer's files
  const ExampleMaker& maker;
  std::vector<WeightedSource> sources;
  std::int64_t steps = 0;                     // of the whole run
  std::optional<std::filesystem::path> from;  // checkpoint to go on from
  record::RunManifest manifest;               // but for times and data
  Communicator& communicator;
  std::function<bool()> stop_requested = {};         // asked at every step; may be empty
  std::function<void(const std::string&)> say = {};  // lines for a person; may be empty
};

struct StageOutcome {
  bool finished = false;  // else it was stopped, saved, and can go on
  std::int64_t step = 0;
  std::string why;  // it was stopped
  std::filesystem::path result;
};

// Trains until all steps are done, or until it is asked to stop, a spot notice comes or its time is over. When it
// finishes, checkpoints/<name>_final is there and was read back.
StageOutcome run_stage(const Stage& stage);

// What the weights at the end depend on, as one line: a run goes on only with the same.
std::string run_key(const TrainOptions& options, const std::vector<WeightedSource>& sources,
                    const model::Transformer& model, const std::optional<weights::AdapterConfig>& adapter,
                    std::int64_t steps);

}  // namespace tritonrl::train
