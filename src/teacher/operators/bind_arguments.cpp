#include <algorithm>
#include <array>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/bind.h"

namespace tritonrl::teacher::operators {
namespace {

using syntax::SyntaxNode;

// They change where or how a value is kept, not what it is.
bool is_ignored(std::string_view parameter) {
  constexpr auto kIgnored = std::to_array<std::string_view>(
      {"inplace", "device", "non_blocking", "copy", "memory_format", "requires_grad", "pin_memory", "layout",
       "generator", "_stacklevel", "sparse_grad", "momentum", "compute_mode", "contents", "padding_idx", "max_norm",
       "norm_type", "scale_grad_by_freq", "sparse"});
  return std::ranges::find(kIgnored, parameter) != kIgnored.end();
}

bool must_be_none(const Operator& op, std::string_view parameter) {
  if (parameter == "out" || parameter == "size_average" || parameter == "reduce") return true;
  if (parameter != "dtype") return false;
  return op.group == Group::kReduction || op.group == Group::kNormalisation || op.group == Group::kScan;
}

bool is_understood(const Bound::Argument& argument) {
  if (is_ignored(argument.parameter)) return true;
  if (argument.fact.kind == Fact::Kind::kUnknown || argument.fact.kind == Fact::Kind::kModule) return false;
  if (argument.fact.kind == Fact::Kind::kOther) return argument.parameter == "dtype" && dtype_of(argument.fact);
  return true;
}

void give(Bound::Argument& argument, const SyntaxNode& node, const Facts& facts) {
  argument.node = &node;
  argument.fact = fact_of(node, facts);
}

// "*dims": one list, or the rest of the positional arguments.
void give_many(Bound::Argument& argument, std::span<const SyntaxNode* const> nodes, const Facts& facts) {
  if (nodes.size() == 1) {
    Fact only = fact_of(*nodes[0], facts);
    if (only.kind == Fact::Kind::kList) {
      argument.node = nodes[0];
      argument.fact = std::move(only);
      return;
    }
  }
  std::vector<Fact> items;
  for (const SyntaxNode* node : nodes) items.push_back(fact_of(*node, facts));
  argument.nodes.assign(nodes.begin(), nodes.end());
  argument.fact = Fact::list(std::move(items));
}

}  // namespace

std::optional<Given> read_arguments(const SyntaxNode& call) {
  Given given;
  given.positional.reserve(call.nodes("args").size() + 1);  // a method's receiver comes before them
  for (const SyntaxNode* argument : call.nodes("args")) {
    if (argument->is("Starred")) return std::nullopt;
    given.positional.push_back(argument);
  }
  for (const SyntaxNode* keyword : call.nodes("keywords")) {
    const std::string_view name = keyword->text("arg");
    const SyntaxNode* value = keyword->node("value");
    if (name.empty() || value == nullptr) return std::nullopt;
    given.keywords.emplace_back(parameter_named(name), value);
  }
  return given;
}

std::optional<Bound> bind_given(const Operator& op, std::span<const Parameter> parameters, const Given& given,
                                const Facts& facts) {
  Bound bound{.op = &op};
  const std::span<const Parameter> own = parameters_of(op);
  bound.arguments.resize(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) bound.arguments[i].parameter = own[i].name;

  const auto place_of = [&](const Parameter& parameter) -> Bound::Argument* {
    // Most spellings are called as the operator's own declaration says.
    if (parameters.data() == own.data()) return &bound.arguments[static_cast<std::size_t>(&parameter - own.data())];
    const auto found = std::ranges::find(bound.arguments, parameter.name, &Bound::Argument::parameter);
    return found == bound.arguments.end() ? nullptr : &*found;
  };

  // Parameters of the spelling that the operator has not are ignored ones; they are kept aside to be checked.
  std::vector<std::string_view> filled;
  filled.reserve(parameters.size() + own.size());
  const auto fill = [&](std::string_view name) {
    if (std::ranges::find(filled, name) != filled.end()) return false;
    filled.push_back(name);
    return true;
  };
  std::size_t next = 0;
  for (const Parameter& parameter : parameters) {
    if (parameter.keyword_only || next == given.positional.size()) break;
    Bound::Argument* argument = place_of(parameter);
    if (argument == nullptr && !is_ignored(parameter.name)) return std::nullopt;
    if (!fill(parameter.name)) return std::nullopt;
    if (parameter.many) {
      const std::span<const SyntaxNode* const> rest = std::span(given.positional).subspan(next);
      if (argument != nullptr) give_many(*argument, rest, facts);
      next = given.positional.size();
    } else {
      if (argument != nullptr) give(*argument, *given.positional[next], facts);
      ++next;
    }
  }
  if (next != given.positional.size()) return std::nullopt;
  for (const auto& [name, node] : given.keywords) {
    const auto declared = std::ranges::find(parameters, name, &Parameter::name);
    if (declared == parameters.end() || !fill(name)) return std::nullopt;
    if (Bound::Argument* argument = place_of(*declared)) {
      if (declared->many) {
        give_many(*argument, std::array{node}, facts);
      } else {
        give(*argument, *node, facts);
      }
    } else if (!is_ignored(name)) {
      return std::nullopt;
    }
  }
  for (const Parameter& parameter : parameters) {
    if (std::ranges::find(filled, parameter.name) != filled.end()) continue;
    if (Bound::Argument* argument = place_of(parameter)) {
      if (parameter.required && !parameter.many) return std::nullopt;
      argument->fact = parameter.many ? Fact::list({}) : parameter.standard;
      filled.push_back(parameter.name);
    } else if (parameter.required) {
      return std::nullopt;
    }
  }
  // What this spelling cannot be given has the operator's own default.
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::ranges::find(filled, own[i].name) != filled.end()) continue;
    if (own[i].required && !own[i].many) return std::nullopt;
    bound.arguments[i].fact = own[i].many ? Fact::list({}) : own[i].standard;
  }
  return bound;
}

bool fits(const Bound& bound) {
  for (const Bound::Argument& argument : bound.arguments) {
    if (!is_understood(argument)) return false;
    if (must_be_none(*bound.op, argument.parameter) && argument.fact.kind != Fact::Kind::kNone) {
      // A dtype that changes nothing is as good as none.
      const auto dtype = argument.parameter == "dtype" ? dtype_of(argument.fact) : std::nullopt;
      if (!dtype || !bound.arguments[0].fact.is_tensor() || bound.arguments[0].fact.dtype != *dtype) return false;
    }
  }
  return true;
}

}  // namespace tritonrl::teacher::operators
