#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "model/weight_walk.h"
#include "weights/adapter_config.h"

namespace tritonrl::model {

// The matrices that an adapter may change.
template <class Model, class Visit>
void for_each_site(Model& model, const Visit& visit) {
  for_each_weight(model, [&](const auto& weight) {
    if (weight.is_matrix()) visit(weight);
  });
}

// PEFT matches the last component of a module's path.
inline bool is_target(std::string_view module, std::string_view target) {
  return module.ends_with("." + std::string(target));
}
inline bool is_target(std::string_view module, const weights::AdapterConfig& config) {
  return std::ranges::any_of(config.target_modules, [&](const std::string& name) { return is_target(module, name); });
}

// PEFT's name of a site's matrix; `which` is lora_A or lora_B.
inline std::string lora_name(const std::string& module, const char* which) {
  return "base_model.model." + module + "." + which + ".weight";
}

}  // namespace tritonrl::model
