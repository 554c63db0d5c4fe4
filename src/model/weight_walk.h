#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <string>
#include <type_traits>

#include "model/layer.h"
#include "weights/block_modules.h"

namespace tritonrl::model {

// A tensor of a model as files have it. `Matrix` is Linear or const Linear.
template <class Matrix>
struct Weight {
  using Part = std::conditional_t<std::is_const_v<Matrix>, const Linear::Part, Linear::Part>;

  std::string module;        // Hugging Face's: "model.layers.3.self_attn.q_proj"
  at::Tensor values = {};    // as they lie in memory: rows of the joined matrix; undefined where those are in 8 bit
  Matrix* linear = nullptr;  // that holds it; none: an embedding or a norm
  Part* part = nullptr;
  bool is_bias = false;

  std::string name() const { return module + (is_bias ? ".bias" : ".weight"); }
  bool is_matrix() const { return part != nullptr && !is_bias; }
};

// Every weight of a model in the order in which it is stored: what loading, saving, training and adapters go through.
// `before` and `after` a block are called with its number.
template <class Model, class Visit, class Before, class After>
void for_each_weight(Model& model, const Visit& visit, const Before& before, const After& after) {
  using Matrix = std::conditional_t<std::is_const_v<Model>, const Linear, Linear>;
  const auto rows = [](const at::Tensor& joined, const Linear::Part& part) {
    return joined.defined() ? joined.narrow(0, part.first_row, part.rows) : joined;
  };
  visit(Weight<Matrix>{std::string(weights::embedding_module(model.config()).name), model.embedding()});
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.config().num_hidden_layers); ++i) {
    before(i);
    const std::string prefix = weights::block_prefix(i);
    for (const Norm* norm : model.layers()[i].norms()) visit(Weight<Matrix>{prefix + norm->name, norm->weight});
    for (Matrix* linear : model.layers()[i].linears()) {
      for (auto& part : linear->parts()) {
        visit(Weight<Matrix>{prefix + part.name, rows(linear->weight(), part), linear, &part});
        if (linear->bias().defined())
          visit(Weight<Matrix>{prefix + part.name, rows(linear->bias(), part), linear, &part, /*is_bias=*/true});
      }
    }
    after(i);
  }
  for (const weights::ModuleInfo& module : weights::final_modules(model.config()))
    visit(Weight<Matrix>{std::string(module.name), module.is_matrix() ? model.head() : model.final_norm().weight});
}

template <class Model, class Visit>
void for_each_weight(Model& model, const Visit& visit) {
  const auto nothing = [](std::size_t) {};
  for_each_weight(model, visit, nothing, nothing);
}

}  // namespace tritonrl::model
