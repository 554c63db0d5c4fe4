#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/linear.h"
#include "weights/model_config.h"

namespace tritonrl::model {

// A norm by the root of the mean of squares.
struct Norm {
  std::string name;   // "input_layernorm"
  at::Tensor weight;  // of the length of what is normed
  double epsilon = 0;

  at::Tensor operator()(const at::Tensor& x) const;  // over the last dimension
};

// What the queries of a block see: [tokens, heads, head_dim] of queries, as many tokens of keys and values, before
// positions are applied, to [tokens, heads * head_dim]. May write into what it is given.
using Attend = std::function<at::Tensor(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values)>;

// One block: attention and feed-forward, each behind a norm and added to its input. Which modules it has and how large
// they are is told by weights/block_modules.h.
struct Layer {
  Norm attention_norm;
  Linear qkv;                                // q_proj, k_proj, v_proj
  std::optional<Norm> query_norm, key_norm;  // of each head; some families have them
  Linear output;                             // o_proj
  Norm mlp_norm;
  Linear gate_up;  // gate_proj, up_proj
  Linear down;     // down_proj
  std::int64_t head_dim = 0;

  Layer(const weights::ModelConfig& config, const at::TensorOptions& options);

  // On [tokens, hidden]. Training and decoding differ in `attend` alone; `training` turns LoRA's dropout on.
  at::Tensor forward(const at::Tensor& x, const Attend& attend, bool training) const;

  // Everything in it that wants gradients.
  std::vector<at::Tensor> leaves() const;

  // In the order in which files hold them, for whoever walks all weights.
  std::vector<const Norm*> norms() const;
  std::vector<Linear*> linears() { return {&qkv, &output, &gate_up, &down}; }
  std::vector<const Linear*> linears() const { return {&qkv, &output, &gate_up, &down}; }
};

}  // namespace tritonrl::model
