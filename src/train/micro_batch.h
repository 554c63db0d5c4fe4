#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "model/packed_batch.h"
#include "train/example.h"

namespace tritonrl::train {

// What one forward and backward pass takes: sequences end to end, and which positions are trained.
struct MicroBatch {
  model::PackedBatch batch;
  at::Tensor rows;     // int64 [labelled]: positions whose next token is trained
  at::Tensor targets;  // int64 [labelled]: that token
  at::Tensor weights;  // float32 [labelled]: how much each counts: 1 to imitate, an advantage to reinforce
  // float32 [labelled], to reinforce (policy_loss.h): of the weights that a step began with, and of those that must not
  // be left too far. Undefined: neither is there.
  at::Tensor old_log_probabilities = {}, reference_log_probabilities = {};

  std::int64_t labelled() const { return rows.size(0); }
  std::int64_t total() const { return batch.total(); }
};

// On the host. None of the examples is empty.
MicroBatch make_micro_batch(std::span<const Example* const> examples);

// Page-locked, so that to_device does not wait; for machines with a GPU.
MicroBatch pinned(const MicroBatch& batch);
// Does not wait for the copy if the batch is pinned.
MicroBatch to_device(const MicroBatch& batch, c10::Device device);

}  // namespace tritonrl::train
