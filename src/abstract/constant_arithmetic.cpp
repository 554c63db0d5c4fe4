#include "abstract/constant_arithmetic.h"

#include <cmath>
#include <limits>

namespace tritonrl::abstract {
namespace {

bool is_integer(const Value& value) {
  return value.is(ValueKind::kInt) || value.is(ValueKind::kBool);
}

bool is_number(const Value& value) {
  return is_integer(value) || value.is(ValueKind::kFloat);
}

double as_double(const Value& value) {
  return value.is(ValueKind::kFloat) ? value.number : static_cast<double>(value.integer);
}

std::optional<Value> integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  std::int64_t result = 1;
  if (base == 0 || base == 1) return Value::whole(exponent == 0 ? 1 : base);
  for (std::int64_t i = 0; i < exponent; ++i) {
    if (i > 64 || __builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return Value::whole(result);
}

std::optional<Value> integers(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "Add") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(Value::whole(result));
  if (op == "Sub") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(Value::whole(result));
  if (op == "Mult") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(Value::whole(result));
  if (op == "Pow") return integer_power(a, b);
  if (op == "FloorDiv" || op == "Mod") {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return std::nullopt;
    std::int64_t quotient = a / b, rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
      --quotient;
      rest += b;
    }
    return Value::whole(op == "Mod" ? rest : quotient);
  }
  if (op == "LShift" && a >= 0 && b >= 0 && b < 32 && a < (std::int64_t{1} << 31)) return Value::whole(a << b);
  if (op == "RShift" && b >= 0 && b < 64) return Value::whole(a >> b);
  if (op == "BitAnd") return Value::whole(a & b);
  if (op == "BitOr") return Value::whole(a | b);
  return std::nullopt;
}

}  // namespace

std::optional<Value> arithmetic(std::string_view op, const Value& left, const Value& right) {
  if (!is_number(left) || !is_number(right)) return std::nullopt;
  if (is_integer(left) && is_integer(right) && op != "Div") return integers(op, left.integer, right.integer);
  const double a = as_double(left), b = as_double(right);
  double result = 0;
  if (op == "Add") {
    result = a + b;
  } else if (op == "Sub") {
    result = a - b;
  } else if (op == "Mult") {
    result = a * b;
  } else if (op == "Div" || op == "FloorDiv") {
    if (b == 0) return std::nullopt;
    result = op == "Div" ? a / b : std::floor(a / b);
  } else if (op == "Pow") {
    result = std::pow(a, b);
  } else {
    return std::nullopt;
  }
  return std::isfinite(result) ? std::optional(Value::real(result)) : std::nullopt;
}

std::optional<bool> comparison(std::string_view op, const Value& left, const Value& right) {
  const bool negated = op == "NotEq" || op == "IsNot";
  if (op == "Eq" || op == "Is" || negated) {
    if (is_number(left) && is_number(right)) return (as_double(left) == as_double(right)) != negated;
    if (is_constant(left) && is_constant(right)) return same_constant(left, right) != negated;
    // Whatever is known to be something is not None, and no class or function is a constant.
    const auto is_something = [](const Value& value) {
      return !value.is(ValueKind::kUnknown) && !value.is(ValueKind::kPlain) && !value.is(ValueKind::kNone);
    };
    if ((left.is(ValueKind::kNone) && is_something(right)) || (right.is(ValueKind::kNone) && is_something(left))) {
      return negated;
    }
    if (left.is(ValueKind::kName) && right.is(ValueKind::kName)) return (left.text == right.text) != negated;
    if (left.is(ValueKind::kClass) && right.is(ValueKind::kClass)) return (left.type == right.type) != negated;
    return std::nullopt;
  }
  if (op == "In" || op == "NotIn") {
    if (right.is(ValueKind::kDict) && left.is(ValueKind::kText)) {
      if (right.dict->find(left.text) != nullptr) return op == "In";
      return right.dict->open ? std::nullopt : std::optional(op == "NotIn");
    }
    if (right.is(ValueKind::kText) && left.is(ValueKind::kText)) {
      return (right.text.find(left.text) != std::string_view::npos) == (op == "In");
    }
    if (!right.is(ValueKind::kList) || !is_constant(left)) return std::nullopt;
    bool all_known = !right.list->open;
    for (const Value& item : right.list->items) {
      if (same_constant(item, left)) return op == "In";
      all_known = all_known && is_constant(item);
    }
    return all_known ? std::optional(op == "NotIn") : std::nullopt;
  }
  if (!is_number(left) || !is_number(right)) return std::nullopt;
  const double a = as_double(left), b = as_double(right);
  if (op == "Lt") return a < b;
  if (op == "LtE") return a <= b;
  if (op == "Gt") return a > b;
  if (op == "GtE") return a >= b;
  return std::nullopt;
}

}  // namespace tritonrl::abstract
