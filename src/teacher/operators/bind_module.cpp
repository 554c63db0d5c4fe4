#include <algorithm>
#include <array>

#include "abstract/operator_names.h"
#include "teacher/operators/argument_facts.h"
#include "teacher/operators/bind.h"

namespace tritonrl::teacher {
namespace {

using operators::Parameter;
using syntax::SyntaxNode;

// How many of the operator's parameters are given to the module's call; the others are its attributes.
std::size_t given_to_call(const Operator& op) {
  const auto parameters = operators::parameters_of(op);
  if (op.group == Group::kLoss) {
    return static_cast<std::size_t>(std::ranges::count(parameters, true, &Parameter::required));
  }
  return op.name == "cosine_similarity" || op.name == "pairwise_distance" || op.name == "bilinear" ? 2 : 1;
}

// Where a module keeps a parameter under another name.
std::string_view attribute_of(std::string_view layer, std::string_view parameter) {
  if (layer == "PairwiseDistance" && parameter == "p") return "norm";
  if (layer.find("Pad") != std::string_view::npos && parameter == "pad") return "padding";
  if (layer == "Unflatten" && parameter == "sizes") return "unflattened_size";
  return parameter;
}

// Parameters of functions that no module has.
bool is_of_functions(const Operator& op, std::string_view parameter) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"inplace", "_stacklevel", "dtype", "out", "size_average", "reduce", "antialias", "return_indices"});
  return std::ranges::find(kNames, parameter) != kNames.end() || (op.group == Group::kLoss && parameter == "weight");
}

bool is_true(const Fact& fact) {
  return fact.kind == Fact::Kind::kBool && fact.constant && fact.integer != 0;
}

// What the class itself says of a parameter.
std::optional<Fact> said_by_class(std::string_view layer, std::string_view parameter, const Fact& module) {
  const auto attribute = [&module](std::string_view name) {
    const Fact* fact = module.attribute(name);
    return fact == nullptr ? Fact{} : *fact;
  };
  if (layer == "Softmax2d" && parameter == "dim") return Fact::whole(-3);
  if (layer.find("Pad") != std::string_view::npos) {
    if (parameter == "mode") {
      return Fact::words(layer.starts_with("Reflection")    ? "reflect"
                         : layer.starts_with("Replication") ? "replicate"
                         : layer.starts_with("Circular")    ? "circular"
                                                            : "constant");
    }
    if (parameter == "value" && !layer.starts_with("Constant")) return Fact::none();
  }
  if (layer.starts_with("BatchNorm") && parameter == "training") {
    // Without running statistics those of the batch are used always.
    if (attribute("running_mean").kind == Fact::Kind::kNone) return Fact::truth(true);
  }
  if (layer.starts_with("InstanceNorm") && parameter == "use_input_stats") {
    const Fact training = attribute("training"), tracks = attribute("track_running_stats");
    if (training.kind != Fact::Kind::kBool || tracks.kind != Fact::Kind::kBool) return Fact{};
    return Fact::truth(is_true(training) || !is_true(tracks));
  }
  return std::nullopt;
}

// The digit of "Conv2d"; 0: none.
std::size_t layer_dimensions(std::string_view layer) {
  if (layer.size() < 2 || layer.back() != 'd') return 0;
  const char digit = layer[layer.size() - 2];
  return digit >= '1' && digit <= '3' ? static_cast<std::size_t>(digit - '0') : 0;
}

// Meanings that the function of the same name has not.
bool is_described(std::string_view layer, const Fact& module, const Bound& bound) {
  if (layer.find("Conv") != std::string_view::npos) {
    const Fact* mode = module.attribute("padding_mode");
    return mode == nullptr || mode->text == "zeros";
  }
  if (layer.starts_with("InstanceNorm")) {
    // One sample without a batch dimension is normalised over other dimensions.
    return bound.arguments[0].fact.shape.size() == layer_dimensions(layer) + 2;
  }
  return layer != "SyncBatchNorm" && layer != "CrossMapLRN2d" && layer != "TripletMarginWithDistanceLoss" &&
         layer != "DataParallel";
}

}  // namespace

std::optional<Bound> bind_module(const SyntaxNode& call, const Facts& facts) {
  const SyntaxNode* callee = call.is("Call") ? call.node("func") : nullptr;
  const Fact* module = callee == nullptr ? nullptr : facts.of(callee);
  if (module == nullptr || module->kind != Fact::Kind::kModule || module->text.empty()) return std::nullopt;
  std::string_view layer = module->text;
  if (layer.starts_with("Lazy")) layer.remove_prefix(4);
  const abstract::OperatorName* label = abstract::find_layer(layer);
  const Operator* op = label == nullptr ? nullptr : find_operator(label->name);
  auto given = operators::read_arguments(call);
  if (op == nullptr || !given) return std::nullopt;

  const auto parameters = operators::parameters_of(*op);
  const std::size_t called = given_to_call(*op);
  if (given->positional.size() + given->keywords.size() != called) return std::nullopt;
  Bound bound{.op = op, .module = callee};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Bound::Argument& argument = bound.arguments.emplace_back();
    argument.parameter = parameters[i].name;
    if (i < called) {
      if (i < given->positional.size()) {
        argument.node = given->positional[i];
      } else {
        for (const auto& [name, node] : given->keywords) {
          if (name == argument.parameter) argument.node = node;
        }
      }
      if (argument.node == nullptr) return std::nullopt;
      argument.fact = operators::fact_of(*argument.node, facts);
    } else if (const auto said = said_by_class(layer, argument.parameter, *module)) {
      argument.fact = *said;
    } else {
      const std::string_view name = attribute_of(layer, argument.parameter);
      if (const Fact* fact = module->attribute(name)) {
        argument.fact = *fact;
        argument.attribute = name;
      } else if (is_of_functions(*op, argument.parameter) && !parameters[i].required) {
        argument.fact = parameters[i].standard;
      } else {
        return std::nullopt;
      }
    }
  }
  if (!bound.arguments[0].fact.is_tensor() || !is_described(layer, *module, bound)) return std::nullopt;
  operators::refine(bound, {});
  if (bound.op == nullptr || !operators::fits(bound)) return std::nullopt;
  return bound;
}

}  // namespace tritonrl::teacher
