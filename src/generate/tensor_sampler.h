#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "generate/generator.h"
#include "generate/sampled.h"

namespace tritonrl::generate {

// The options of a batch's rows, as tensors on the logits' device, and what the host knows about all of them, so that
// no value has to be read back to choose a way.
struct TensorRows {
  at::Tensor temperature;         // float [rows, 1]; 1 where a row is greedy
  at::Tensor greedy;              // bool [rows]
  at::Tensor top_k;               // int64 [rows, 1]; the vocabulary's size where it is off
  at::Tensor top_p;               // double [rows, 1]; 2 where it is off
  at::Tensor min_p;               // float [rows, 1]
  at::Tensor repetition_penalty;  // float [rows, 1]
  bool any_sampled = false, any_greedy = false, any_temperature = false;
  bool any_top_k = false, any_top_p = false, any_min_p = false, any_penalty = false;
  std::int64_t largest_top_k = 0;  // of the rows where it is on

  static TensorRows make(std::span<const SamplingOptions* const> rows, std::int64_t vocabulary, c10::Device device);
};

// One token a row. `logits` float [rows, vocabulary], `keys` int32 [rows, 2] as draw_keys() gives them, `seen` bool
// [rows, vocabulary] (defined if any row penalises). Tensor operations alone: a graph can capture them.
Sampled sample_by_tensors(const at::Tensor& logits, const TensorRows& rows, const at::Tensor& keys,
                          const at::Tensor& seen);

// The distribution that the rows that are not greedy draw from, up to a factor a row: what transformers' processors
// leave, in their order (repetition penalty, temperature, top-k, top-p, min-p), 0 for tokens that cannot be drawn. Of
// equally likely tokens at the edge of top-p those with low ids stay.
at::Tensor filtered_weights(const at::Tensor& logits, const TensorRows& rows, const at::Tensor& seen);

}  // namespace tritonrl::generate
