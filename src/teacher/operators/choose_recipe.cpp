#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "teacher/operators/argument_facts.h"
#include "teacher/operators/promotion.h"
#include "teacher/operators/table.h"

namespace tritonrl::teacher {
namespace {

// Yes, no, not known.
using Answer = std::optional<bool>;

Answer truth_of(const Fact& fact) {
  if (fact.kind == Fact::Kind::kNone) return false;
  if (const auto number = operators::number_in(fact)) return *number != 0;
  return std::nullopt;
}

double number_named(std::string_view text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  TRL_CHECK(read.ec == std::errc{}, "condition with no number: " + std::string(text));
  return number;
}

Answer equals(const Fact& fact, std::string_view wanted) {
  if (wanted.starts_with('\'')) {
    if (fact.kind == Fact::Kind::kOther) return fact.text == wanted.substr(1, wanted.size() - 2);
    if (fact.kind != Fact::Kind::kText) return false;
    if (!fact.constant) return std::nullopt;
    return fact.text == wanted.substr(1, wanted.size() - 2);
  }
  if (!fact.is_number()) return false;
  const auto number = operators::number_in(fact);
  if (!number) return std::nullopt;
  return *number == number_named(wanted);
}

Answer opposite(Answer answer) {
  return answer ? Answer(!*answer) : answer;
}

Answer is_integral(const Bound& bound) {
  const auto dtype =
      bound.op->type == ResultType::kFirst ? operators::result_type(bound) : operators::operand_type(bound);
  if (!dtype) return std::nullopt;
  return operators::is_integral(*dtype);
}

Fact value_of(const Bound& bound, std::string_view name) {
  if (name == "ndim") {
    for (const Bound::Argument& argument : bound.arguments) {
      if (argument.fact.is_tensor()) return Fact::whole(static_cast<std::int64_t>(argument.fact.shape.size()));
    }
    return {};
  }
  const Bound::Argument* argument = bound.find(name);
  TRL_CHECK(argument != nullptr,
            "condition on no parameter: " + std::string(bound.op->name) + ", " + std::string(name));
  return argument->fact;
}

Answer holds(const Bound& bound, std::string_view condition) {
  if (condition.starts_with("not ")) return opposite(holds(bound, condition.substr(4)));
  if (condition == "integral") return is_integral(bound);
  const auto split = [&condition](std::string_view sign, std::string_view* left, std::string_view* right) {
    const std::size_t at = condition.find(sign);
    if (at == std::string_view::npos) return false;
    *left = condition.substr(0, at);
    *right = condition.substr(at + sign.size());
    return true;
  };
  std::string_view name, wanted;
  if (split(" is ", &name, &wanted)) {
    const Fact fact = value_of(bound, name);
    if (wanted == "number") return fact.is_number();
    if (wanted == "tensor") return fact.is_tensor();
    if (wanted == "float") {
      return fact.is_tensor() ? program::is_floating(fact.dtype) : fact.kind == Fact::Kind::kFloat;
    }
    return (fact.kind == Fact::Kind::kNone) == (wanted == "None");
  }
  if (split(" == ", &name, &wanted)) return equals(value_of(bound, name), wanted);
  if (split(" != ", &name, &wanted)) return opposite(equals(value_of(bound, name), wanted));
  if (split(" > ", &name, &wanted)) {
    const Fact fact = value_of(bound, name);
    if (!fact.is_number()) return false;
    const auto number = operators::number_in(fact);
    return number ? Answer(*number > number_named(wanted)) : std::nullopt;
  }
  return truth_of(value_of(bound, condition));
}

bool is_complex_anywhere(const Bound& bound) {
  for (const Bound::Argument& argument : bound.arguments) {
    if (argument.fact.is_tensor() && operators::is_complex(argument.fact.dtype)) return true;
  }
  return false;
}

}  // namespace

const Recipe* choose_recipe(const Bound& bound) {
  const auto read = operators::recipes_of(*bound.op);
  if (read.empty() || is_complex_anywhere(bound)) return nullptr;
  for (std::size_t i = 0; i < read.size(); ++i) {
    bool all = true;
    for (const std::string_view condition : read[i].conditions) all = all && holds(bound, condition) == Answer(true);
    if (!all) continue;
    for (const int place : read[i].used) {
      const Fact& fact = bound.arguments[static_cast<std::size_t>(place)].fact;
      all = all && (fact.is_tensor() || fact.is_number());
    }
    return all ? &bound.op->recipes[i] : nullptr;
  }
  return nullptr;
}

}  // namespace tritonrl::teacher
