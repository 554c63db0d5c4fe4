#include "generate/tensor_sampler.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/check.h"
#include "generate/tensor_draws.h"

namespace tritonrl::generate {
namespace {

template <typename Value>
at::Tensor column(std::span<const SamplingOptions* const> rows, c10::Device device,
                  const std::function<Value(const SamplingOptions&)>& value) {
  std::vector<Value> values;
  for (const SamplingOptions* row : rows) values.push_back(value(*row));
  return at::tensor(values).unsqueeze(1).to(device);
}

at::Tensor scaled_scores(const at::Tensor& scores, const TensorRows& rows) {
  return rows.any_temperature ? scores.div(rows.temperature) : scores;
}

at::Tensor penalised(const at::Tensor& logits, const TensorRows& rows, const at::Tensor& seen) {
  if (!rows.any_penalty) return logits;
  const at::Tensor changed =
      at::where(logits.lt(0), logits.mul(rows.repetition_penalty), logits.div(rows.repetition_penalty));
  return at::where(seen, changed, logits);
}

// Scores of at least the k-th largest.
at::Tensor in_top_k(const at::Tensor& scores, const TensorRows& rows) {
  const std::int64_t largest = std::min(rows.largest_top_k, scores.size(1));
  const at::Tensor best = std::get<0>(at::topk(scores, largest));
  const at::Tensor edge = best.gather(1, rows.top_k.sub(1).clamp(0, largest - 1));
  return scores.ge(edge).logical_or_(rows.top_k.ge(scores.size(1)));
}

// The likeliest tokens whose predecessors hold less than top_p of the mass of `weights`.
at::Tensor in_top_p(const at::Tensor& scores, const at::Tensor& weights, const TensorRows& rows) {
  const at::Tensor order = std::get<1>(at::sort(scores, /*stable=*/true, /*dim=*/1, /*descending=*/true));
  const at::Tensor sorted = weights.gather(1, order).to(at::kDouble);
  const at::Tensor before = sorted.cumsum(1).sub_(sorted);
  const at::Tensor keep = before.lt(sorted.sum(1, /*keepdim=*/true).mul_(rows.top_p));
  return at::empty_like(keep).scatter_(1, order, keep);
}

at::Tensor weights_of(const at::Tensor& scores, const TensorRows& rows) {
  at::Tensor weights = at::softmax(scores, 1);
  const at::Tensor likeliest = rows.any_min_p ? weights.amax(1, /*keepdim=*/true) : at::Tensor();
  if (rows.any_top_k) weights = weights.mul(in_top_k(scores, rows));
  if (rows.any_top_p) weights = weights.mul(in_top_p(scores, weights, rows));
  if (rows.any_min_p) weights = weights.mul(weights.ge(likeliest.mul(rows.min_p)));
  return weights;
}

at::Tensor first_to_arrive(const at::Tensor& weights, const at::Tensor& keys) {
  const at::Tensor times = unit_draws(keys, weights.size(1)).neg_().log1p_().neg_();
  return weights.div(times).argmax(1);
}

}  // namespace

TensorRows TensorRows::make(std::span<const SamplingOptions* const> rows, std::int64_t vocabulary, c10::Device device) {
  using Row = SamplingOptions;
  TensorRows out;
  out.temperature = column<float>(
      rows, device, [](const Row& row) { return row.temperature == 0 ? 1.0f : static_cast<float>(row.temperature); });
  out.greedy = column<std::int64_t>(rows, device, [](const Row& row) { return row.temperature == 0; }).squeeze(1).ne(0);
  out.top_k = column<std::int64_t>(rows, device, [&](const Row& row) {
    return row.top_k == 0 ? vocabulary : std::min<std::int64_t>(row.top_k, vocabulary);
  });
  out.top_p = column<double>(rows, device, [](const Row& row) { return row.top_p < 1 ? row.top_p : 2.0; });
  out.min_p = column<float>(rows, device, [](const Row& row) { return static_cast<float>(row.min_p); });
  out.repetition_penalty =
      column<float>(rows, device, [](const Row& row) { return static_cast<float>(row.repetition_penalty); });
  for (const Row* row : rows) {
    out.any_penalty |= row->repetition_penalty != 1;
    if (row->temperature == 0) {
      out.any_greedy = true;
      continue;
    }
    out.any_sampled = true;
    out.any_temperature |= row->temperature != 1;
    out.any_top_k |= row->top_k > 0;
    out.any_top_p |= row->top_p < 1;
    out.any_min_p |= row->min_p > 0;
    out.largest_top_k = std::max<std::int64_t>(out.largest_top_k, row->top_k);
  }
  return out;
}

Sampled sample_by_tensors(const at::Tensor& logits, const TensorRows& rows, const at::Tensor& keys,
                          const at::Tensor& seen) {
  TRL_CHECK(logits.dim() == 2 && logits.scalar_type() == at::kFloat, "logits are float [rows, vocabulary]");
  const at::Tensor scores = penalised(logits, rows, seen);
  at::Tensor tokens;
  if (rows.any_sampled) tokens = first_to_arrive(weights_of(scaled_scores(scores, rows), rows), keys);
  if (rows.any_greedy) {
    const at::Tensor best = scores.argmax(1);
    tokens = rows.any_sampled ? at::where(rows.greedy, best, tokens) : best;
  }
  const at::Tensor log_probabilities = at::log_softmax(logits, 1).gather(1, tokens.unsqueeze(1)).squeeze(1);
  return {.tokens = tokens, .log_probabilities = log_probabilities};
}

at::Tensor filtered_weights(const at::Tensor& logits, const TensorRows& rows, const at::Tensor& seen) {
  return weights_of(scaled_scores(penalised(logits, rows, seen), rows), rows);
}

}  // namespace tritonrl::generate
