#pragma once

#include <cstdint>
#include <optional>

#include "weights/adapter_config.h"
#include "weights/model_config.h"

namespace tritonrl::train {

// What one forward and backward pass was given.
struct PassSize {
  std::int64_t tokens = 0;
  std::int64_t labelled = 0;  // rows that the head is asked about
  std::int64_t squares = 0;   // sum of the squared lengths of the sequences
};

// The model's own arithmetic in a training pass, a multiply-add as two: 2 a weight and token forward, as much again for
// the gradients of activations, and once more for those of weights that are trained. A causal token sees half of its
// sequence; the backward pass of attention is twice the forward. Norms, positions, the optimizer and what is computed
// again (--recompute) do not count: part of the device's peak that this is, is MFU.
double training_flops(const weights::ModelConfig& config, const std::optional<weights::AdapterConfig>& adapter,
                      const PassSize& size);

// Parameters of an adapter on all blocks.
std::int64_t adapter_size(const weights::ModelConfig& config, const weights::AdapterConfig& adapter);

}  // namespace tritonrl::train
