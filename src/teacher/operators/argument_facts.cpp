#include "teacher/operators/argument_facts.h"

#include <array>
#include <limits>
#include <utility>

namespace tritonrl::teacher::operators {
namespace {

using program::DType;
using syntax::SyntaxNode;

Fact of_constant(const SyntaxNode& node) {
  const syntax::SyntaxValue* value = node.field("value");
  if (value == nullptr) return {};
  if (std::holds_alternative<syntax::NoneValue>(*value)) return Fact::none();
  if (const bool* truth = std::get_if<bool>(value)) return Fact::truth(*truth);
  if (const std::int64_t* integer = std::get_if<std::int64_t>(value)) return Fact::whole(*integer);
  if (const double* number = std::get_if<double>(value)) return Fact::real(*number);
  if (const std::string* text = std::get_if<std::string>(value)) return Fact::words(*text);
  return {};
}

Fact of_sign(const SyntaxNode& node, const Facts& facts) {
  const SyntaxNode* sign = node.node("op");
  const SyntaxNode* operand = node.node("operand");
  if (sign == nullptr || operand == nullptr || !sign->is("USub")) return {};
  Fact fact = fact_of(*operand, facts);
  if (!fact.is_number() || !fact.constant || fact.kind == Fact::Kind::kBool) return {};
  fact.integer = -fact.integer;
  fact.number = -fact.number;
  return fact;
}

// float('inf'), float('-inf')
Fact of_infinity(const SyntaxNode& node) {
  const SyntaxNode* callee = node.node("func");
  const auto& arguments = node.nodes("args");
  if (callee == nullptr || !callee->is("Name") || callee->text("id") != "float" || arguments.size() != 1) return {};
  if (!arguments[0]->is("Constant")) return {};
  const std::string_view word = arguments[0]->text("value");
  if (word == "inf") return Fact::real(std::numeric_limits<double>::infinity());
  if (word == "-inf") return Fact::real(-std::numeric_limits<double>::infinity());
  return {};
}

// torch.float32, x.dtype
Fact of_attribute(const SyntaxNode& node, const Facts& facts) {
  const SyntaxNode* base = node.node("value");
  if (base == nullptr) return {};
  const std::string_view name = node.text("attr");
  if (name == "dtype") {
    const Fact* tensor = facts.of(base);
    return tensor != nullptr && tensor->is_tensor() ? dtype_fact(tensor->dtype) : Fact{};
  }
  if (!base->is("Name") || base->text("id") != "torch") return {};
  const auto dtype = dtype_named(name);
  return dtype ? dtype_fact(*dtype) : Fact{};
}

}  // namespace

Fact fact_of(const SyntaxNode& node, const Facts& facts) {
  const Fact* noted = facts.of(&node);
  if (noted != nullptr && noted->kind != Fact::Kind::kUnknown && noted->kind != Fact::Kind::kOther) return *noted;
  Fact fact;
  if (node.is("Constant")) {
    fact = of_constant(node);
  } else if (node.is("UnaryOp")) {
    fact = of_sign(node, facts);
  } else if (node.is("Call")) {
    fact = of_infinity(node);
  } else if (node.is("Attribute")) {
    fact = of_attribute(node, facts);
  } else if (node.is("Tuple") || node.is("List")) {
    std::vector<Fact> items;
    for (const SyntaxNode* item : node.nodes("elts")) {
      if (item->is("Starred")) return {};
      items.push_back(fact_of(*item, facts));
    }
    fact = Fact::list(std::move(items));
  }
  if (fact.kind == Fact::Kind::kUnknown && noted != nullptr) return *noted;
  return fact;
}

std::optional<DType> dtype_named(std::string_view word) {
  if (word.starts_with("torch.")) word.remove_prefix(6);
  constexpr std::array<std::pair<std::string_view, DType>, 8> kAliases{{{"float", DType::kFloat32},
                                                                        {"double", DType::kFloat64},
                                                                        {"half", DType::kFloat16},
                                                                        {"long", DType::kInt64},
                                                                        {"int", DType::kInt32},
                                                                        {"short", DType::kInt16},
                                                                        {"byte", DType::kUInt8},
                                                                        {"char", DType::kInt8}}};
  for (const auto& [alias, dtype] : kAliases) {
    if (alias == word) return dtype;
  }
  return program::dtype_from_string(word);
}

Fact dtype_fact(DType dtype) {
  Fact fact{.kind = Fact::Kind::kOther};
  fact.text = program::to_string(dtype);
  return fact;
}

std::optional<DType> dtype_of(const Fact& fact) {
  if (fact.kind != Fact::Kind::kOther || fact.text.empty()) return std::nullopt;
  return dtype_named(fact.text);
}

std::optional<std::int64_t> integer_in(const Fact& fact) {
  if (!fact.constant || (fact.kind != Fact::Kind::kInt && fact.kind != Fact::Kind::kBool)) return std::nullopt;
  return fact.integer;
}

std::optional<double> number_in(const Fact& fact) {
  if (!fact.constant || !fact.is_number()) return std::nullopt;
  return fact.kind == Fact::Kind::kFloat ? fact.number : static_cast<double>(fact.integer);
}

std::optional<Shape> integers_in(const Fact& fact) {
  if (const auto one = integer_in(fact)) return Shape{*one};
  if (fact.kind != Fact::Kind::kList) return std::nullopt;
  Shape all;
  for (const Fact& item : fact.items) {
    const auto one = integer_in(item);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

}  // namespace tritonrl::teacher::operators
