#include "model/rope.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/where.h>

#include <numbers>

#include "model/fused_steps.h"

namespace tritonrl::model {
namespace {

using weights::RopeScaling;

// Llama 3's rule: long waves are slowed by `factor`, short ones kept, those between blended.
at::Tensor llama3_scaled(const at::Tensor& frequencies, const RopeScaling& scaling) {
  const auto original = static_cast<double>(scaling.original_max_position);
  const double longest_kept = original / scaling.high_freq_factor;
  const double shortest_slowed = original / scaling.low_freq_factor;
  const at::Tensor waves = 2 * std::numbers::pi / frequencies;
  const at::Tensor slowed = at::where(waves > shortest_slowed, frequencies / scaling.factor, frequencies);
  const at::Tensor blend =
      (original / waves - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor);
  const at::Tensor blended = (1 - blend) * slowed / scaling.factor + blend * slowed;
  const at::Tensor between = waves.ge(longest_kept).logical_and(waves.le(shortest_slowed));
  return at::where(between, blended, slowed);
}

}  // namespace

at::Tensor inverse_frequencies(const weights::ModelConfig& config) {
  const at::Tensor exponents = at::arange(0, config.head_dim, 2, at::kLong).to(at::kFloat) / config.head_dim;
  const at::Tensor frequencies = 1.0 / at::pow(config.rope_theta, exponents);
  switch (config.rope_scaling.kind) {
    case RopeScaling::Kind::kNone:
      return frequencies;
    case RopeScaling::Kind::kLinear:
      return frequencies / config.rope_scaling.factor;
    case RopeScaling::Kind::kLlama3:
      return llama3_scaled(frequencies, config.rope_scaling);
  }
  return frequencies;
}

Rope::Rope(const weights::ModelConfig& config, c10::Device device, c10::ScalarType dtype) {
  const at::Tensor positions = at::arange(config.max_position_embeddings, at::kFloat);
  const at::Tensor angles = at::outer(positions, inverse_frequencies(config));
  cosine_float_ = angles.cos();
  sine_float_ = angles.sin();
  cosine_ = cosine_float_.to(device, dtype);
  sine_ = sine_float_.to(device, dtype);
}

Rope::Rows Rope::rows(const at::Tensor& positions) const {
  return {cosine_.index_select(0, positions).unsqueeze(1), sine_.index_select(0, positions).unsqueeze(1)};
}

at::Tensor Rope::apply(const at::Tensor& heads, const Rows& rows) {
  return turned(heads, rows.cosine, rows.sine);
}

}  // namespace tritonrl::model
