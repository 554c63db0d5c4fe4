#pragma once

#include <ATen/core/Tensor.h>

#include "model/packed_batch.h"

namespace tritonrl::model {

// A label that is not trained.
constexpr std::int64_t kNoLabel = -100;

// From labels [total], one a token, to what each position must predict: its sequence's next label. The last position of
// a sequence predicts nothing.
at::Tensor next_labels(const at::Tensor& labels, const PackedBatch& batch);

// Log-probability of each target [n] under logits [n, vocabulary], float32; 0 where there is none.
at::Tensor target_log_probabilities(const at::Tensor& logits, const at::Tensor& targets);

// Mean over the targets that there are. Differentiable.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace tritonrl::model
