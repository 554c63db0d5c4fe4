#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "model/transformer.h"
#include "weights/adapter_config.h"

namespace tritonrl::model {

// A matrix that an adapter may change. `Matrix` is Linear or const Linear.
template <class Matrix>
struct LoraSite {
  std::size_t layer;
  Matrix& linear;
  std::conditional_t<std::is_const_v<Matrix>, const Linear::Part&, Linear::Part&> part;

  // PEFT matches the last component of a module's path.
  bool matches(std::string_view target) const {
    return part.name == target || part.name.ends_with("." + std::string(target));
  }
  bool is_target(const weights::AdapterConfig& config) const {
    return std::any_of(config.target_modules.begin(), config.target_modules.end(),
                       [&](const std::string& target) { return matches(target); });
  }
  // `which` is lora_A or lora_B.
  std::string tensor_name(std::string_view which) const {
    return "base_model.model.model.layers." + std::to_string(layer) + "." + part.name + "." + std::string(which) +
           ".weight";
  }
};

template <class Model, class Visit>
void for_each_site(Model& model, const Visit& visit) {
  using Matrix = std::conditional_t<std::is_const_v<Model>, const Linear, Linear>;
  for (std::size_t layer = 0; layer < model.layers().size(); ++layer) {
    for (Matrix* linear : model.layers()[layer].linears()) {
      for (auto& part : linear->parts()) visit(LoraSite<Matrix>{layer, *linear, part});
    }
  }
}

}  // namespace tritonrl::model
