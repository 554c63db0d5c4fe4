#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "model/linear.h"
#include "model/packed_batch.h"
#include "model/rope.h"
#include "weights/model_config.h"

namespace tritonrl::model {

// Told the keys and values of each layer as they are computed, [tokens, key-value heads, head_dim], positions applied.
using KeyValueSink = std::function<void(std::size_t layer, const at::Tensor& keys, const at::Tensor& values)>;

struct ForwardOptions {
  bool training = false;  // LoRA's dropout is on
  KeyValueSink sink;      // may be empty
};

// One block: attention and feed-forward, each behind a norm and added to its input.
struct Layer {
  at::Tensor attention_norm;  // [hidden]
  Linear qkv;                 // q_proj, k_proj, v_proj
  Linear output;              // o_proj
  at::Tensor mlp_norm;        // [hidden]
  Linear gate_up;             // gate_proj, up_proj
  Linear down;                // down_proj

  Layer(const weights::ModelConfig& config, const at::TensorOptions& options);

  // The block of number `index` on [tokens, hidden].
  at::Tensor forward(const at::Tensor& x, std::size_t index, const PackedBatch& batch, const Rope::Rows& rope,
                     const weights::ModelConfig& config, const ForwardOptions& options) const;

  // In a fixed order, for whoever walks all matrices.
  std::vector<Linear*> linears() { return {&qkv, &output, &gate_up, &down}; }
  std::vector<const Linear*> linears() const { return {&qkv, &output, &gate_up, &down}; }
};

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

}  // namespace tritonrl::model
