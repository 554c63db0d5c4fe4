#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "train/optimizer.h"
#include "weights/adapter_config.h"
#include "weights/model_config.h"

namespace tritonrl::train {

// What the memory of a training run depends on.
struct MemoryQuestion {
  weights::ModelConfig config;
  std::optional<weights::AdapterConfig> adapter = {};  // none: all parameters are trained
  std::int64_t element = 2;                            // bytes of a weight and of an activation
  bool eight_bit = false;                              // the frozen matrices of blocks, a byte each
  bool recompute = false;
  std::int64_t pass_tokens = 2048;
  std::int64_t loss_chunk = 0;  // as TrainOptions
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  bool gpu = true;  // the CPU's attention, dropout and norms keep more
};

// Bytes at the highest point of a step, by what they are for. Follows what the code keeps, tensor by tensor;
// memory_test holds it against what torch allocates.
struct MemoryEstimate {
  std::int64_t weights = 0;      // as the forward pass reads them
  std::int64_t trained = 0;      // the adapter, or float32 masters of low-precision weights
  std::int64_t gradients = 0;    //
  std::int64_t optimizer = 0;    // its moments, and the copy that shows whether the first step changed anything
  std::int64_t activations = 0;  // kept for the backward pass
  std::int64_t workspace = 0;    // logits of a chunk, or what one block or the optimizer needs under way

  std::int64_t total() const { return weights + trained + gradients + optimizer + activations + workspace; }
};

MemoryEstimate estimate_memory(const MemoryQuestion& question);

// Keys and values of `tokens` tokens: what sampling takes beside the weights.
std::int64_t cache_bytes(const weights::ModelConfig& config, std::int64_t element, std::int64_t tokens);

std::string gigabytes(std::int64_t bytes);  // "15.2 GB"

}  // namespace tritonrl::train
