#include "model/transformer.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "base/sha256.h"

namespace tritonrl::model {
namespace {

std::string layer_prefix(std::size_t layer) {
  return "model.layers." + std::to_string(layer) + ".";
}

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

at::TensorOptions Transformer::tensor_options() const {
  return at::TensorOptions().device(options_.device).dtype(*options_.dtype);
}

void Transformer::fill_all(const Fill& fill_tensor) {
  std::vector<at::Tensor> samples;
  const auto fill = [&](const std::string& name, at::Tensor& tensor) {
    samples.push_back(few_of(fill_tensor(name, tensor)).to(at::kCPU));
  };
  embedding_ = at::empty({config_.vocab_size, config_.hidden_size}, tensor_options());
  fill("model.embed_tokens.weight", embedding_);
  for (std::int64_t i = 0; i < config_.num_hidden_layers; ++i) {
    Layer& layer = layers_.emplace_back(config_, tensor_options());
    const std::string prefix = layer_prefix(static_cast<std::size_t>(i));
    fill(prefix + "input_layernorm.weight", layer.attention_norm);
    fill(prefix + "post_attention_layernorm.weight", layer.mlp_norm);
    for (Linear* linear : layer.linears()) {
      for (const Linear::Part& part : linear->parts()) {
        at::Tensor weight = linear->weight().narrow(0, part.first_row, part.rows);
        fill(prefix + part.name + ".weight", weight);
        if (!linear->bias().defined()) continue;
        at::Tensor bias = linear->bias().narrow(0, part.first_row, part.rows);
        fill(prefix + part.name + ".bias", bias);
      }
      if (options_.eight_bit) linear->quantise_weight();
    }
  }
  final_norm_ = at::empty({config_.hidden_size}, tensor_options());
  fill("model.norm.weight", final_norm_);
  head_ = embedding_;
  if (!config_.tie_word_embeddings) {
    head_ = at::empty({config_.vocab_size, config_.hidden_size}, tensor_options());
    fill("lm_head.weight", head_);
  }
  const at::Tensor sampled = at::cat(samples);
  fingerprint_ = base::sha256({static_cast<const char*>(sampled.const_data_ptr()), sampled.nbytes()}).substr(0, 32);
  if (options_.trainable) {
    for (NamedTensor& parameter : parameters()) parameter.tensor.set_requires_grad(true);
  }
}

at::Tensor Transformer::hidden_states(const PackedBatch& batch, const ForwardOptions& options) const {
  if (batch.longest > config_.max_position_embeddings) {
    throw base::UserError("model", "a sequence of " + std::to_string(batch.longest) +
                                       " tokens is longer than the model's max_position_embeddings, " +
                                       std::to_string(config_.max_position_embeddings));
  }
  const Rope::Rows rope = rope_->rows(batch.positions);
  at::Tensor x = at::embedding(embedding_, batch.tokens);
  for (std::size_t i = 0; i < layers_.size(); ++i) x = layers_[i].forward(x, i, batch, rope, config_, options);
  return rms_norm(x, final_norm_, config_.rms_norm_eps);
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
  const auto plain = [&](const std::string& name, const at::Tensor& tensor) {
    stored.push_back({name, tensor.sizes().vec(), [tensor] { return tensor.detach(); }});
  };
  plain("model.embed_tokens.weight", embedding_);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const std::string prefix = layer_prefix(i);
    plain(prefix + "input_layernorm.weight", layers_[i].attention_norm);
    plain(prefix + "post_attention_layernorm.weight", layers_[i].mlp_norm);
    for (const Linear* linear : layers_[i].linears()) {
      for (const Linear::Part& part : linear->parts()) {
        stored.push_back({prefix + part.name + ".weight", {part.rows, linear->columns()}, [this, linear, &part] {
                            return linear->merged_weight(part, dtype());
                          }});
        if (linear->bias().defined()) plain(prefix + part.name + ".bias", linear->part_bias(part));
      }
    }
  }
  plain("model.norm.weight", final_norm_);
  if (!config_.tie_word_embeddings) plain("lm_head.weight", head_);
  return stored;
}

std::vector<NamedTensor> Transformer::parameters() const {
  TRL_CHECK(options_.trainable, "parameters of a frozen model");
  std::vector<NamedTensor> named = {{"model.embed_tokens.weight", embedding_}};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const std::string prefix = layer_prefix(i);
    named.push_back({prefix + "input_layernorm.weight", layers_[i].attention_norm});
    named.push_back({prefix + "post_attention_layernorm.weight", layers_[i].mlp_norm});
    for (const Linear* linear : layers_[i].linears()) {
      std::string name = prefix;
      for (const Linear::Part& part : linear->parts()) name += (&part == &linear->parts()[0] ? "" : "+") + part.name;
      named.push_back({name + ".weight", linear->weight()});
      if (linear->bias().defined()) named.push_back({name + ".bias", linear->bias()});
    }
  }
  named.push_back({"model.norm.weight", final_norm_});
  if (!config_.tie_word_embeddings) named.push_back({"lm_head.weight", head_});
  return named;
}

}  // namespace tritonrl::model
