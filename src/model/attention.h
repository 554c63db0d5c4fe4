#pragma once

#include <ATen/core/Tensor.h>

#include "model/packed_batch.h"

namespace tritonrl::model {

// Causal attention inside each sequence of a batch. `queries` [total, heads, head_dim], `keys` and `values` [total,
// key-value heads, head_dim]; heads share keys in groups. Differentiable.
at::Tensor packed_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const PackedBatch& batch);

}  // namespace tritonrl::model
