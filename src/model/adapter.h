#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/transformer.h"
#include "weights/adapter_config.h"

namespace tritonrl::model {

// A LoRA adapter on a frozen model, in PEFT's files: adapter_config.json and adapter_model.safetensors.

// Fresh weights: a uniform as PEFT draws it, b zero, so that the model is unchanged. UserError for a target module that
// the model does not have, or if there is an adapter already.
void add_adapter(Transformer& model, const weights::AdapterConfig& config, std::uint64_t seed);

struct LoadAdapterOptions {
  bool any_base = false;  // accept an adapter that names other base weights
  bool trainable = false;
  // Told where the names of the two bases do not agree and nothing better decides (adapter_base.h).
  std::function<void(const std::string&)> warn = {};
};
// Refuses, with the names, an adapter whose tensors do not all land, that misses one it promises, whose shapes are
// wrong, or that was made for other base weights (by the fingerprint that save_adapter leaves, or by hub ids where both
// are known). The model is unchanged then.
weights::AdapterConfig load_adapter(Transformer& model, const std::filesystem::path& folder,
                                    const LoadAdapterOptions& options = {});
void save_adapter(const Transformer& model, const weights::AdapterConfig& config, const std::filesystem::path& folder);

// a and b of all targets under PEFT's names; leaves with gradients.
std::vector<NamedTensor> adapter_parameters(const Transformer& model);
bool has_adapter(const Transformer& model);
void remove_adapter(Transformer& model);

// While one exists, the model computes as if it had no adapter; its parameters stay what they are.
class WithoutAdapter {
 public:
  explicit WithoutAdapter(Transformer& model);
  ~WithoutAdapter();
  WithoutAdapter(const WithoutAdapter&) = delete;
  WithoutAdapter& operator=(const WithoutAdapter&) = delete;

 private:
  std::vector<std::pair<Linear::Part*, LoraPair>> taken_;
};

// Adds the adapter's change to the weights, or takes it away; in bf16 and fp16 a weight may come back one step of its
// type beside what it was. UserError on an 8-bit model: save_model merges while it writes.
void merge_adapter(Transformer& model);
void unmerge_adapter(Transformer& model);

}  // namespace tritonrl::model
