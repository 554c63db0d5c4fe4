#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weights/block_modules.h"

namespace tritonrl::weights {

// PEFT's adapter_config.json, as far as LoRA on linear layers needs it.
struct AdapterConfig {
  std::int64_t r = 16;
  double alpha = 32;
  double dropout = 0.05;
  bool rank_stabilised = false;  // use_rslora: scale alpha / sqrt(r) instead of alpha / r
  std::vector<std::string> target_modules = linear_names();
  std::string base_model = {};  // base_model_name_or_path

  double scale() const;
};

// UserError names the field that is missing, wrong, or asks for what is not built (DoRA, biases, modules_to_save, rank
// patterns, other adapter types).
AdapterConfig parse_adapter_config(std::string_view json, const std::string& where);
// What peft.PeftModel.from_pretrained reads.
std::string adapter_config_json(const AdapterConfig& config);

}  // namespace tritonrl::weights
