#pragma once

#include <ATen/core/Tensor.h>

#include "weights/model_config.h"

namespace tritonrl::model {

// Rotary position embedding: the first half of each head is turned against its second half.
class Rope {
 public:
  // Tables for all positions of the config, in `dtype` as transformers rounds them.
  Rope(const weights::ModelConfig& config, c10::Device device, c10::ScalarType dtype);

  struct Rows {
    at::Tensor cosine;  // [tokens, 1, head_dim / 2]
    at::Tensor sine;
  };
  Rows rows(const at::Tensor& positions) const;
  // [tokens, heads, head_dim] turned.
  static at::Tensor apply(const at::Tensor& heads, const Rows& rows);

  // The same tables unrounded, on the host: [positions, head_dim / 2].
  const at::Tensor& cosine_float() const { return cosine_float_; }
  const at::Tensor& sine_float() const { return sine_float_; }

 private:
  at::Tensor cosine_;
  at::Tensor sine_;
  at::Tensor cosine_float_;
  at::Tensor sine_float_;
};

// Turns a position per dimension pair: float32 [head_dim / 2], scaling applied.
at::Tensor inverse_frequencies(const weights::ModelConfig& config);

}  // namespace tritonrl::model
