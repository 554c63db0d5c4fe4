#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "abstract/constant_arithmetic.h"
#include "abstract/evaluator.h"
#include "abstract/outside_names.h"

namespace tritonrl::abstract {
namespace {

std::optional<Value> read_number(std::string_view text, bool whole) {
  const bool negative = text.starts_with('-');
  const std::string_view plain = negative || text.starts_with('+') ? text.substr(1) : text;
  if (plain == "inf" || plain == "infinity") {
    const double most = std::numeric_limits<double>::infinity();
    return Value::real(negative ? -most : most);
  }
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return whole ? Value::whole(integer) : Value::real(static_cast<double>(integer));
}

// Python rounds halves to even.
std::optional<Value> rounded(const Arguments& arguments) {
  const Value& value = arguments.positional[0];
  if (arguments.positional.size() > 1) return std::nullopt;
  if (value.is(ValueKind::kInt)) return value;
  if (!value.is(ValueKind::kFloat) || !(std::abs(value.number) < 1e15)) return std::nullopt;
  return Value::whole(static_cast<std::int64_t>(std::nearbyint(value.number)));
}

std::optional<Value> extreme(std::string_view name, const std::vector<Value>& values) {
  if (values.empty()) return std::nullopt;
  Value best = values.front();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto less = comparison("Lt", name == "min" ? values[i] : best, name == "min" ? best : values[i]);
    if (!less.has_value()) return std::nullopt;
    if (*less) best = values[i];
  }
  return best;
}

std::optional<bool> is_list_kind(const Value& value, const Value& type) {
  if (!value.is(ValueKind::kList) || !type.is(ValueKind::kName)) return std::nullopt;
  const std::string_view name = last_part(type.text);
  if (name == "tuple" || name == "Size") return value.list->tuple;
  if (name == "list") return !value.list->tuple;
  return std::nullopt;
}

}  // namespace

std::optional<Value> Evaluator::exact_sum(const List& items, const Value& start, int line) {
  if (items.open) return std::nullopt;
  Value total = start;
  for (const Value& item : items.items) {
    const bool first_tensor = item.is(ValueKind::kTensor) && total.is(ValueKind::kInt) && total.integer == 0;
    total = first_tensor && item.tensor_type != nullptr ? item : binary("Add", total, item, line);
  }
  return total;
}

std::optional<Value> Evaluator::exact_builtin(std::string_view name, const Arguments& arguments, int line) {
  if (arguments.positional.empty() || arguments.open) return std::nullopt;
  const Value& first = arguments.positional[0];
  const std::size_t count = arguments.positional.size();
  if (name == "len" && first.tensor_type != nullptr && !first.tensor_type->shape.empty()) {
    return Value::whole(first.tensor_type->shape[0]);
  }
  if (name == "sum" && !first.is(ValueKind::kTensor)) {
    return exact_sum(items_of(first), count > 1 ? arguments.positional[1] : Value::whole(0), line);
  }
  if ((name == "max" || name == "min") && arguments.keywords.empty() && !first.is(ValueKind::kTensor)) {
    if (count > 1) return extreme(name, arguments.positional);
    const List items = items_of(first);
    return items.open ? std::nullopt : extreme(name, items.items);
  }
  if ((name == "any" || name == "all") && !first.is(ValueKind::kTensor)) {
    const List items = items_of(first);
    bool known = !items.open;
    for (const Value& item : items.items) {
      const auto truth = truth_of(item);
      if (truth.has_value() && *truth == (name == "any")) return Value::boolean(name == "any");
      known = known && truth.has_value();
    }
    return known ? std::optional(Value::boolean(name == "all")) : std::nullopt;
  }
  if ((name == "int" || name == "float") && first.is(ValueKind::kText) && count == 1) {
    return read_number(first.text, name == "int");
  }
  if ((name == "int" || name == "float") && first.is(ValueKind::kBool)) {
    return name == "int" ? Value::whole(first.integer) : Value::real(static_cast<double>(first.integer));
  }
  if (name == "round") return rounded(arguments);
  if (name == "abs" && first.is(ValueKind::kFloat)) return Value::real(std::abs(first.number));
  if (name == "divmod" && count == 2) {
    const auto quotient = arithmetic("FloorDiv", first, arguments.positional[1]);
    const auto rest = arithmetic("Mod", first, arguments.positional[1]);
    return quotient && rest ? std::optional(new_list({*quotient, *rest})) : std::nullopt;
  }
  if (name == "tuple" || name == "list") {
    List items = items_of(first);
    const Value made = new_list(std::move(items.items), items.open);
    made.list->tuple = name == "tuple";
    return made;
  }
  if (name == "slice") {
    std::vector<Value> bounds(3, Value::none());
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i)
      bounds[count == 1 ? 1 : i] = arguments.positional[i];
    Value slice = Value::plain();
    slice.list = new_list(std::move(bounds)).list;
    return slice;
  }
  if (name == "isinstance" && count == 2) {
    const Value& types = arguments.positional[1];
    bool any = false, certain = true;
    for (const Value& type : types.is(ValueKind::kList) ? types.list->items : std::vector<Value>{types}) {
      const auto answer = is_list_kind(first, type);
      any = any || answer.value_or(false);
      certain = certain && answer.has_value();
    }
    if (any || certain) return Value::boolean(any);
  }
  return std::nullopt;
}

}  // namespace tritonrl::abstract
