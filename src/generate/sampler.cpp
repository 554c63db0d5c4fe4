#include "generate/sampler.h"

#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "base/check.h"
#include "generate/native_sampler.h"
#include "generate/tensor_draws.h"

namespace tritonrl::generate {

Sampler::Sampler(const SamplerOptions& options) : options_(options), lanes_(options.lanes) {
  TRL_CHECK(options.lanes > 0 && options.steps > 0 && options.vocabulary > 0, "a sampler of nothing");
  if (!native())
    keys_ = at::zeros({options.lanes, options.steps, 2}, at::TensorOptions(options.device).dtype(at::kInt));
}

void Sampler::start(int number, const SamplingOptions& sampling, std::uint64_t seed,
                    std::span<const std::int32_t> prompt) {
  Lane& lane = lanes_.at(number);
  lane = Lane{.sampling = sampling, .seed = seed, .chosen = 0, .past = {}, .is_past = {}};
  const bool penalises = sampling.repetition_penalty != 1;
  if (native()) {
    if (!penalises) return;
    lane.is_past.resize(options_.vocabulary);
    for (const std::int32_t token : prompt) remember(lane, token);
    return;
  }
  arranged_.clear();
  const std::int64_t steps = std::min<std::int64_t>(options_.steps, sampling.max_new_tokens);
  keys_.select(0, number).narrow(0, 0, steps).copy_(draw_keys(seed, steps));
  if (!penalises) return;
  if (!seen_.defined())
    seen_ = at::zeros({options_.lanes, options_.vocabulary}, at::TensorOptions(options_.device).dtype(at::kBool));
  const std::vector<std::int64_t> ids(prompt.begin(), prompt.end());
  seen_.select(0, number).zero_().index_fill_(0, at::tensor(ids, at::kLong).to(options_.device), 1);
}

Sampled Sampler::sample(const at::Tensor& logits, std::span<const int> lanes) {
  TRL_CHECK(logits.size(0) == static_cast<std::int64_t>(lanes.size()), "a row of logits for each lane");
  TRL_CHECK(logits.size(1) == options_.vocabulary, "logits of another vocabulary");
  for (const int lane : lanes) TRL_CHECK(lanes_.at(lane).chosen < options_.steps, "an answer longer than announced");
  Sampled sampled = native() ? sample_native(logits, lanes) : sample_tensors(logits, lanes);
  for (const int lane : lanes) ++lanes_[lane].chosen;
  return sampled;
}

Sampled Sampler::sample_native(const at::Tensor& logits, std::span<const int> lanes) {
  std::vector<NativeRow> rows;
  rows.reserve(lanes.size());
  for (const int number : lanes) {
    const Lane& lane = lanes_[number];
    rows.push_back({.options = &lane.sampling, .key = draw_key(lane.seed, lane.chosen), .seen = lane.past});
  }
  Sampled sampled = sample_natively(logits, rows);
  const std::int64_t* token = sampled.tokens.const_data_ptr<std::int64_t>();
  for (const int number : lanes) {
    if (lanes_[number].sampling.repetition_penalty != 1) remember(lanes_[number], static_cast<std::int32_t>(*token));
    ++token;
  }
  return sampled;
}

void Sampler::arrange(std::span<const int> lanes) {
  if (std::ranges::equal(lanes, arranged_)) return;
  arranged_.assign(lanes.begin(), lanes.end());
  std::vector<const SamplingOptions*> options;
  std::vector<std::int64_t> ids, positions;
  for (const int number : lanes) {
    options.push_back(&lanes_[number].sampling);
    ids.push_back(number);
    positions.push_back(lanes_[number].chosen);
  }
  rows_ = TensorRows::make(options, options_.vocabulary, options_.device);
  lane_ids_ = at::tensor(ids, at::kLong).to(options_.device);
  position_ = at::tensor(positions, at::kLong).to(options_.device);
}

Sampled Sampler::sample_tensors(const at::Tensor& logits, std::span<const int> lanes) {
  arrange(lanes);
  const at::Tensor keys = at::index(keys_, {lane_ids_, position_});
  const at::Tensor seen = rows_.any_penalty ? seen_.index_select(0, lane_ids_) : at::Tensor();
  Sampled sampled = sample_by_tensors(logits, rows_, keys, seen);
  position_.add_(1);
  if (rows_.any_penalty) {
    const at::Tensor yes = at::ones({}, at::TensorOptions(options_.device).dtype(at::kBool));
    seen_.index_put_({lane_ids_, sampled.tokens}, yes);
  }
  return sampled;
}

void Sampler::remember(Lane& lane, std::int32_t token) {
  if (lane.is_past[token]) return;
  lane.is_past[token] = true;
  lane.past.push_back(token);
}

}  // namespace tritonrl::generate
