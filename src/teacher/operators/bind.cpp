#include "teacher/operators/bind.h"

#include <algorithm>

#include "abstract/operator_names.h"
#include "teacher/operators/argument_facts.h"

namespace tritonrl::teacher {

using operators::Given;
using syntax::SyntaxNode;

namespace {

const Operator* operator_of_sign(const SyntaxNode* sign) {
  const abstract::OperatorName* label = sign == nullptr ? nullptr : abstract::find_sign(sign->kind);
  return label == nullptr ? nullptr : find_operator(label->name);
}

bool has_tensor(const Bound& bound) {
  return std::ranges::any_of(bound.arguments, [](const Bound::Argument& one) { return one.fact.is_tensor(); });
}

}  // namespace

std::optional<Bound> bind_call(const SyntaxNode& call, std::string_view path, const Facts& facts) {
  if (!call.is("Call")) return std::nullopt;
  std::optional<Given> given = operators::read_arguments(call);
  if (!given) return std::nullopt;
  if (path.starts_with('.')) {
    const SyntaxNode* callee = call.node("func");
    const SyntaxNode* receiver = callee == nullptr ? nullptr : callee->node("value");
    if (receiver == nullptr || !operators::fact_of(*receiver, facts).is_tensor()) return std::nullopt;
    given->positional.insert(given->positional.begin(), receiver);
  }
  if (const auto special = operators::bind_special(path, *given, facts); special.known) return special.bound;
  const operators::Spelling spelling = operators::read_spelling(path);
  if (spelling.name.empty()) return std::nullopt;
  const Operator* op = find_operator(spelling.name);
  std::optional<Bound> bound = operators::bind_given(*op, spelling.parameters, *given, facts);
  if (!bound) return std::nullopt;
  bound->in_place = spelling.in_place;
  operators::refine(*bound, path);
  if (bound->op == nullptr || !operators::fits(*bound)) return std::nullopt;
  return bound;
}

std::optional<Bound> bind_sign(const SyntaxNode& expression, const Facts& facts) {
  Given given;
  const SyntaxNode* sign = expression.node("op");
  if (expression.is("BinOp")) {
    given.positional = {expression.node("left"), expression.node("right")};
  } else if (expression.is("AugAssign")) {
    given.positional = {expression.node("target"), expression.node("value")};
  } else if (expression.is("UnaryOp")) {
    given.positional = {expression.node("operand")};
  } else if (expression.is("Compare")) {
    const auto& signs = expression.nodes("ops");
    const auto& others = expression.nodes("comparators");
    if (signs.size() != 1 || others.size() != 1) return std::nullopt;
    sign = signs[0];
    given.positional = {expression.node("left"), others[0]};
  }
  const Operator* op = operator_of_sign(sign);
  if (op == nullptr || std::ranges::find(given.positional, nullptr) != given.positional.end()) return std::nullopt;
  std::optional<Bound> bound = operators::bind_given(*op, operators::parameters_of(*op), given, facts);
  if (!bound || !has_tensor(*bound)) return std::nullopt;
  for (std::size_t i = 0; i < given.positional.size(); ++i) {
    if (!bound->arguments[i].fact.is_tensor() && !bound->arguments[i].fact.is_number()) return std::nullopt;
  }
  bound->in_place = expression.is("AugAssign");
  return bound;
}

std::optional<Bound> bind_attribute(const SyntaxNode& attribute, const Facts& facts) {
  if (!attribute.is("Attribute")) return std::nullopt;
  const std::string_view name = attribute.text("attr");
  const std::string_view meaning = name == "T" ? "reverse_dims" : name == "mT" ? "mT" : name == "data" ? "detach" : "";
  const Operator* op = meaning.empty() ? nullptr : find_operator(meaning);
  const SyntaxNode* base = attribute.node("value");
  if (op == nullptr || base == nullptr) return std::nullopt;
  std::optional<Bound> bound = operators::bind_given(*op, operators::parameters_of(*op), {{base}, {}}, facts);
  if (!bound || !bound->arguments[0].fact.is_tensor()) return std::nullopt;
  return bound;
}

}  // namespace tritonrl::teacher
