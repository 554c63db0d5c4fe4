#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "train/checkpoint.h"
#include "train/data_stream.h"
#include "train/example.h"
#include "train/pair_file.h"

namespace tritonrl::train {

// Each stops a run that would train on nothing or break what was trained: UserError with what to do.

// Of a file, before the first step: something is short enough to be trained on, with answers that end.
void require_trainable(const PairFile& file, const PackingOptions& packing, text::TokenId end_of_turn);
// Of every step's data.
void require_labels(const StepData& data, std::int64_t step);
// Of the first step's.
void require_end_labels(const StepData& data, const ExampleMaker& maker);
// What a sampler that loads the tokenizer of a checkpoint asks is what was trained on.
void require_same_prompts(const ExampleMaker& maker, std::span<const std::string> instructions,
                          const std::filesystem::path& tokenizer);
void require_finite(double loss, double gradient_norm, std::int64_t step);
// Values before and after the first step.
void require_changed(const at::Tensor& before, const at::Tensor& after, double learning_rate);
// There is something left to do.
void require_steps_left(const TrainingState& state, const std::filesystem::path& final_folder);
// The run that the checkpoint is of was given the same.
void require_same_run(const TrainingState& state, const std::string& options);

}  // namespace tritonrl::train
