#include "train/model_flops.h"

#include "model/lora_sites.h"
#include "weights/block_modules.h"

namespace tritonrl::train {

std::int64_t adapter_size(const weights::ModelConfig& config, const weights::AdapterConfig& adapter) {
  std::int64_t block = 0;
  for (const weights::ModuleInfo& module : weights::block_modules(config)) {
    if (module.is_matrix() && model::is_target(module.name, adapter))
      block += adapter.r * (module.rows + module.columns);
  }
  return config.num_hidden_layers * block;
}

double training_flops(const weights::ModelConfig& config, const std::optional<weights::AdapterConfig>& adapter,
                      const PassSize& size) {
  double block = 0;
  for (const weights::ModuleInfo& module : weights::block_modules(config))
    if (module.is_matrix()) block += static_cast<double>(module.rows) * static_cast<double>(module.columns);
  const auto layers = static_cast<double>(config.num_hidden_layers), tokens = static_cast<double>(size.tokens);
  const double head = static_cast<double>(config.vocab_size) * static_cast<double>(config.hidden_size);
  const double forward = 2 * (layers * block * tokens + head * static_cast<double>(size.labelled));
  // queries with keys and weights with values, over half of each square
  const double attention = layers * 2 * static_cast<double>(config.num_attention_heads * config.head_dim) *
                           static_cast<double>(size.squares);
  if (!adapter) return 3 * (forward + attention);
  return 2 * forward + 3 * attention + 6 * static_cast<double>(adapter_size(config, *adapter)) * tokens;
}

}  // namespace tritonrl::train
