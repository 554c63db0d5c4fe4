#include "model/transformer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "base/sha256.h"
#include "model/attention.h"
#include "model/checkpointed_block.h"
#include "model/weight_walk.h"

namespace tritonrl::model {
namespace {

// Some elements, spread evenly, in the coarsest type that weights are loaded to, so that they are the same in all.
at::Tensor few_of(const at::Tensor& tensor) {
  constexpr std::int64_t kCount = 16;
  const at::Tensor flat = tensor.detach().reshape({-1});
  const std::int64_t step = std::max<std::int64_t>(1, flat.numel() / kCount);
  return flat.slice(0, 0, std::min(flat.numel(), step * kCount), step).to(at::kBFloat16);
}

}  // namespace

Transformer::Transformer(const weights::ModelConfig& config, const ModelOptions& options, c10::ScalarType dtype)
    : config_(config), options_(options) {
  if (options.trainable && options.eight_bit) {
    throw base::UserError("model",
                          "8-bit weights cannot be trained: train all parameters in bf16 or fp32, or use LoRA");
  }
  options_.dtype = dtype;
  rope_ = std::make_unique<Rope>(config, options.device, dtype);
}

void Transformer::fill_all(const Fill& fill) {
  const auto tensors = at::TensorOptions().device(options_.device).dtype(*options_.dtype);
  embedding_ = at::empty(weights::embedding_module(config_).shape(), tensors);
  head_ = embedding_;
  for (const weights::ModuleInfo& module : weights::final_modules(config_)) {
    const at::Tensor empty = at::empty(module.shape(), tensors);
    if (module.is_matrix()) {
      head_ = empty;
    } else {
      final_norm_ = {std::string(module.name), empty, config_.rms_norm_eps};
    }
  }
  std::vector<at::Tensor> samples;
  for_each_weight(
      *this,
      [&](const Weight<Linear>& weight) { samples.push_back(few_of(fill(weight.name(), weight.values)).to(at::kCPU)); },
      [&](std::size_t) { layers_.emplace_back(config_, tensors); },
      [&](std::size_t i) {
        if (!options_.eight_bit) return;
        for (Linear* linear : layers_[i].linears()) linear->quantise_weight();
      });
  const at::Tensor sampled = at::cat(samples);
  fingerprint_ = base::sha256({static_cast<const char*>(sampled.const_data_ptr()), sampled.nbytes()}).substr(0, 32);
  if (options_.trainable) {
    for (NamedTensor& parameter : parameters()) parameter.tensor.set_requires_grad(true);
  }
}

at::Tensor Transformer::hidden_states(const at::Tensor& tokens, const LayerAttend& attend, bool training,
                                      bool recompute) const {
  at::Tensor x = at::embedding(embedding_, tokens);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const auto forward = [this, i, training](const at::Tensor& input, const LayerAttend& see) {
      return layers_[i].forward(
          input, [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) { return see(i, q, k, v); },
          training);
    };
    // a block that runs again does so when this call is long over: it has its own `attend`
    x = recompute && at::GradMode::is_enabled()
            ? checkpointed_block([forward, attend](const at::Tensor& input) { return forward(input, attend); }, x,
                                 layers_[i].leaves())
            : forward(x, attend);
  }
  return final_norm_(x);
}

at::Tensor Transformer::hidden_states(const PackedBatch& batch, const ForwardOptions& options) const {
  if (batch.longest > config_.max_position_embeddings) {
    throw base::UserError("model", "a sequence of " + std::to_string(batch.longest) +
                                       " tokens is longer than the model's max_position_embeddings, " +
                                       std::to_string(config_.max_position_embeddings));
  }
  const Rope::Rows rope = rope_->rows(batch.positions);
  const auto attend = [rope, batch, sink = options.sink](std::size_t layer, const at::Tensor& q, const at::Tensor& k,
                                                         const at::Tensor& v) {
    const at::Tensor turned = Rope::apply(k, rope);
    if (sink) sink(layer, turned, v);
    return packed_attention(Rope::apply(q, rope), turned, v, batch).flatten(1);
  };
  return hidden_states(batch.tokens, attend, options.training, options.recompute);
}

at::Tensor Transformer::logits(const at::Tensor& hidden_states) const {
  return at::linear(hidden_states, head_);
}

std::size_t Transformer::linear_bytes() const {
  std::size_t bytes = 0;
  for (const Layer& layer : layers_) {
    for (const Linear* linear : layer.linears()) bytes += linear->weight_bytes();
  }
  return bytes;
}

std::vector<StoredWeight> Transformer::stored_weights() const {
  std::vector<StoredWeight> stored;
  for_each_weight(*this, [&](const Weight<const Linear>& weight) {
    if (weight.is_matrix()) {
      stored.push_back(
          {weight.name(),
           {weight.part->rows, weight.linear->columns()},
           [this, linear = weight.linear, part = weight.part] { return linear->merged_weight(*part, dtype()); }});
    } else {
      stored.push_back(
          {weight.name(), weight.values.sizes().vec(), [values = weight.values.detach()] { return values; }});
    }
  });
  return stored;
}

std::vector<NamedTensor> Transformer::parameters() const {
  TRL_CHECK(options_.trainable, "parameters of a frozen model");
  std::vector<NamedTensor> named;
  for_each_weight(*this, [&](const Weight<const Linear>& weight) {
    if (weight.linear == nullptr) {
      named.push_back({weight.name(), weight.values});
    } else if (weight.part == &weight.linear->parts().front()) {
      std::string modules = weight.module;
      for (const Linear::Part& part : weight.linear->parts()) modules += &part == weight.part ? "" : "+" + part.name;
      named.push_back({modules + (weight.is_bias ? ".bias" : ".weight"),
                       weight.is_bias ? weight.linear->bias() : weight.linear->weight()});
    }
  });
  return named;
}

}  // namespace tritonrl::model
