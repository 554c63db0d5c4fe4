#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/layer.h"
#include "model/packed_batch.h"
#include "model/rope.h"
#include "weights/model_config.h"
#include "weights/model_files.h"

namespace tritonrl::model {

struct ModelOptions {
  c10::Device device = c10::Device(c10::kCPU);
  std::optional<c10::ScalarType> dtype = {};  // of weights and activations; none: as stored, fp32 for what is quantised
  bool eight_bit = false;                     // linear layers as int8 with a scale a row; frozen, LoRA on top
  bool trainable = false;                     // all parameters get gradients (training from scratch)
};

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

// A tensor of the model as transformers stores it.
struct StoredWeight {
  std::string name;  // Hugging Face's
  std::vector<std::int64_t> shape;
  // In the model's type: a view of the weight in use, or a copy where an adapter must be merged in or 8-bit weights
  // dequantised. Lives as long as the model.
  std::function<at::Tensor()> value;
};

// Told the keys and values of each layer as they are computed, [tokens, key-value heads, head_dim], positions applied.
using KeyValueSink = std::function<void(std::size_t layer, const at::Tensor& keys, const at::Tensor& values)>;

struct ForwardOptions {
  bool training = false;   // LoRA's dropout is on
  bool recompute = false;  // activations of blocks are not kept for gradients but computed again (checkpointed_block.h)
  KeyValueSink sink;       // may be empty
};

// A model of one of weights' families, by its config. Weights are shared by whoever holds it: the trainer changes them,
// decoders read them. Forward calls may run in several threads as long as nobody changes the weights.
class Transformer {
 public:
  // Every tensor of the config must be in the files, with its shape, and every tensor of the files must be used:
  // UserError names the first that is not.
  static std::unique_ptr<Transformer> load(const weights::ModelFiles& files, const ModelOptions& options);
  // As transformers initialises: normal of the config's initializer_range, biases zero, norms one. Equal seeds give
  // equal weights.
  static std::unique_ptr<Transformer> random(const weights::ModelConfig& config, const ModelOptions& options,
                                             std::uint64_t seed);

  // Last hidden states [tokens, hidden], after the final norm. Differentiable where parameters or adapters ask for it.
  at::Tensor hidden_states(const PackedBatch& batch, const ForwardOptions& options = {}) const;
  // The same for who attends otherwise: `attend` is given the layer and what Attend is given.
  using LayerAttend =
      std::function<at::Tensor(std::size_t layer, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v)>;
  at::Tensor hidden_states(const at::Tensor& tokens, const LayerAttend& attend, bool training,
                           bool recompute = false) const;
  // [tokens, vocabulary] of such hidden states, in the model's dtype.
  at::Tensor logits(const at::Tensor& hidden_states) const;

  const weights::ModelConfig& config() const { return config_; }
  const ModelOptions& options() const { return options_; }
  c10::ScalarType dtype() const { return embedding_.scalar_type(); }

  const at::Tensor& embedding() const { return embedding_; }
  const Norm& final_norm() const { return final_norm_; }
  const at::Tensor& head() const { return head_; }
  const Rope& rope() const { return *rope_; }
  const std::vector<Layer>& layers() const { return layers_; }
  std::vector<Layer>& layers() { return layers_; }

  // Everything that a folder of this model holds.
  std::vector<StoredWeight> stored_weights() const;
  // The leaves for an optimiser when `trainable`; joined matrices are one leaf, named after their parts.
  std::vector<NamedTensor> parameters() const;

  // Memory of the linear layers' weights, scales included, adapters not.
  std::size_t linear_bytes() const;

  // Where it came from, for messages and adapter configs: a hub id, or a path; empty for a random model.
  const std::string& name() const { return name_; }
  // Tells two sets of base weights apart, whatever type or device they are loaded to; adapters do not change it.
  const std::string& fingerprint() const { return fingerprint_; }

  // Counts changes of the weights that write samples; the trainer raises it, samples carry it.
  std::int64_t adapter_version = 0;

 private:
  Transformer(const weights::ModelConfig& config, const ModelOptions& options, c10::ScalarType dtype);

  // Calls fill for each stored tensor, layer by layer, and turns a layer to 8 bit as soon as it is full, so that at
  // most one layer exists in full precision. fill gives what the tensor was copied from: the fingerprint is of that,
  // since float16 would round it once more.
  using Fill = std::function<at::Tensor(const std::string& name, const at::Tensor& tensor)>;
  void fill_all(const Fill& fill);

  weights::ModelConfig config_;
  ModelOptions options_;
  at::Tensor embedding_;  // [vocabulary, hidden]
  at::Tensor head_;       // the same tensor when tied
  Norm final_norm_;
  std::unique_ptr<Rope> rope_;
  std::vector<Layer> layers_;
  std::string name_;
  std::string fingerprint_;
};

}  // namespace tritonrl::model
