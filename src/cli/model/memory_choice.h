#pragma once

#include <optional>

#include "cli/model/stage_run.h"
#include "train/options.h"
#include "weights/adapter_config.h"
#include "weights/model_config.h"

namespace tritonrl::cli {

// What the options leave to the machine, settled by an estimate of the memory (train/memory_plan.h): 8 bits where the
// type is free, recomputation, tokens a pass, the longest example. `eight_bit` and `training` are changed. Tells what
// it chose and why where `tell`; a dry run tells the whole estimate and gives false where nothing fits, else that is a
// UserError.
bool settle_memory(const StageOptions& options, const weights::ModelConfig& config,
                   const std::optional<weights::AdapterConfig>& adapter, bool& eight_bit, train::TrainOptions& training,
                   bool tell);

// The type of the weights: what --dtype says, or what it is here.
std::string dtype_name(const StageOptions& options);

// Operations a second of this device in units of 10^12, for its name and type; 0: not known.
double known_peak_tflops(const StageOptions& options);

}  // namespace tritonrl::cli
