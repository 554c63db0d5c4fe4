#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/model/stage_run.h"
#include "train/options.h"
#include "weights/adapter_config.h"

namespace tritonrl::cli {

// Fine-tuning of a model on pairs.
struct SftOptions {
  std::string model;
  std::filesystem::path data;  // empty: what `prepare` wrote
  bool all_parameters = false, eight_bit = false;
  weights::AdapterConfig adapter;
  train::TrainOptions train;
  StageOptions stage;

  void fields(base::FieldVisitor& field);
};

// The program's exit code. When it is 0, checkpoints/sft_final is there and loads.
int run_sft(const SftOptions& options);

}  // namespace tritonrl::cli
