#include <algorithm>
#include <cmath>

#include "abstract/constant_arithmetic.h"
#include "abstract/evaluator.h"
#include "abstract/outside_names.h"

namespace tritonrl::abstract {
namespace {

constexpr std::int64_t kLongestRange = 4096;

// Whether a value is an instance of a type; none: the text does not tell.
std::optional<bool> instance_of(const Value& value, std::string_view type) {
  const std::string_view name = last_part(type);
  switch (value.kind) {
    case ValueKind::kTensor:
      return name == "Tensor" || name == "Variable";
    case ValueKind::kNone:
      return name == "NoneType";
    case ValueKind::kBool:
      return name == "bool" || name == "int";
    case ValueKind::kInt:
      return name == "int" || name == "Number" || name == "Integral";
    case ValueKind::kFloat:
      return name == "float" || name == "Number";
    case ValueKind::kText:
      return name == "str";
    case ValueKind::kList:
      if (name == "list" || name == "tuple" || name == "set") return std::nullopt;
      return name == "Iterable" || name == "Sequence" || name == "Collection";
    case ValueKind::kDict:
      return name == "dict" || name == "OrderedDict" || name == "Mapping" || name == "Iterable";
    case ValueKind::kObject:
      if (name == "Module") return is_torch_layer(value.object->outside) ? std::optional(true) : std::nullopt;
      if (is_torch_layer(type) && is_torch_layer(value.object->outside))
        return last_part(value.object->outside) == name;
      return type.starts_with("builtins.") || name == "Tensor" ? std::optional(false) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Value Evaluator::is_instance(const Arguments& arguments) {
  if (arguments.positional.size() != 2) return Value::plain();
  const Value& value = arguments.positional[0];
  const Value& types = arguments.positional[1];
  bool all_no = true;
  for (const Value& type : types.is(ValueKind::kList) ? types.list->items : std::vector<Value>{types}) {
    std::optional<bool> answer;
    if (type.is(ValueKind::kClass)) {
      if (value.is(ValueKind::kObject) && value.object->type == type.type) answer = true;
      if (is_constant(value) || value.is(ValueKind::kTensor)) answer = false;
    } else if (type.is(ValueKind::kName)) {
      answer = instance_of(value, type.text);
    }
    if (answer == true) return Value::boolean(true);
    all_no = all_no && answer.has_value();
  }
  return all_no ? Value::boolean(false) : Value::plain();
}

Value Evaluator::has_attribute(const Arguments& arguments) {
  if (arguments.positional.size() != 2 || !arguments.positional[0].is(ValueKind::kObject)) return Value::plain();
  Object* object = arguments.positional[0].object;
  const std::string_view name = key_of(arguments.positional[1]);
  if (name.empty()) return Value::plain();
  if (object->attributes.find(name) != nullptr) return Value::boolean(true);
  if (object->type == nullptr) return Value::plain();
  if (member(*object->type, name) != nullptr) return Value::boolean(true);
  return object->outside == "torch.nn.Module" || object->outside.empty() ? Value::boolean(false) : Value::plain();
}

Value Evaluator::range_of(const Arguments& arguments) {
  std::int64_t bounds[3] = {0, 0, 1};
  const std::size_t count = arguments.positional.size();
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
    const Value& value = arguments.positional[i];
    if (!value.is(ValueKind::kInt) && !value.is(ValueKind::kBool)) return new_list({Value::plain()}, true);
    bounds[count == 1 ? 1 : i] = value.integer;
  }
  const auto [from, to, step] = bounds;
  std::vector<Value> items;
  if (count == 0 || step == 0 || arguments.open) return new_list({Value::plain()}, true);
  std::int64_t at = from;
  while (step > 0 ? at < to : at > to) {
    if (static_cast<std::int64_t>(items.size()) >= kLongestRange) return new_list({Value::plain()}, true);
    items.push_back(Value::whole(at));
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return new_list(std::move(items));
}

Value Evaluator::zip_of(const Arguments& arguments) {
  std::vector<List> columns;
  std::size_t shortest = SIZE_MAX;
  bool open = arguments.open, any_closed = false;
  for (const Value& argument : arguments.positional) {
    columns.push_back(items_of(argument));
    if (columns.back().open) continue;
    any_closed = true;
    shortest = std::min(shortest, columns.back().items.size());
  }
  // One list of known length tells it for all.
  if (!any_closed) {
    open = true;
    shortest = columns.empty() ? 0 : 1;
  }
  std::vector<Value> rows;
  for (std::size_t i = 0; i < shortest; ++i) {
    std::vector<Value> row;
    for (const List& column : columns) {
      row.push_back(column.items.empty() ? Value() : column.items[std::min(i, column.items.size() - 1)]);
    }
    rows.push_back(new_list(std::move(row)));
    if (!spend()) break;
  }
  return new_list(std::move(rows), open);
}

Value Evaluator::call_builtin(std::string_view name, const Arguments& arguments, int line) {
  const Value result = call_builtin_inner(name, arguments, line);
  const bool lazy = name == "range" || name == "enumerate" || name == "zip" || name == "map" || name == "reversed" ||
                    name == "filter" || name == "set" || name == "frozenset" || name == "iter";
  if (lazy && result.is(ValueKind::kList)) result.list->lazy = true;
  return result;
}

Value Evaluator::call_builtin_inner(std::string_view name, const Arguments& arguments, int line) {
  const Value first = arguments.positional.empty() ? Value() : arguments.positional.front();
  const Value second = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
  if (name == "super") {
    Class* type = scope_->owner;
    Object* self = scope_->self;
    if (first.is(ValueKind::kClass)) type = first.type;
    if (second.is(ValueKind::kObject)) self = second.object;
    if (type == nullptr || self == nullptr) return {};
    return {.kind = ValueKind::kSuper, .object = self, .type = type};
  }
  if (rules_ != nullptr) {
    if (const auto exact = exact_builtin(name, arguments, line)) return *exact;
  }
  if (name == "range") return range_of(arguments);
  if (name == "zip") return zip_of(arguments);
  if (name == "isinstance") return is_instance(arguments);
  if (name == "hasattr") return has_attribute(arguments);
  if (name == "getattr") {
    const std::string_view key = key_of(second);
    if (!key.empty() && first.is(ValueKind::kObject) && arguments.positional.size() > 2 &&
        truth_of(has_attribute({.positional = {first, second}, .keywords = {}, .open = false})) == false) {
      return arguments.positional[2];
    }
    if (!key.empty()) return attribute(first, key, line);
    // Any of the modules that it has.
    if (!first.is(ValueKind::kObject)) return {};
    Value any;
    for (const auto& entry : first.object->attributes.entries) {
      if (entry.second.is(ValueKind::kObject)) any = either(any, entry.second);
    }
    return any;
  }
  if (name == "setattr") {
    const std::string_view key = key_of(second);
    if (first.is(ValueKind::kObject) && arguments.positional.size() > 2) {
      put(&first.object->attributes, key.empty() ? "\x02" : key, arguments.positional[2]);
    }
    return Value::none();
  }
  if (name == "enumerate") {
    const List items = items_of(first);
    std::vector<Value> pairs;
    std::int64_t number = second.is(ValueKind::kInt) ? second.integer : 0;
    for (const Value& item : items.items) {
      pairs.push_back(new_list({items.open ? Value::plain() : Value::whole(number++), item}));
      if (!spend()) break;
    }
    return new_list(std::move(pairs), items.open);
  }
  if (name == "list" || name == "tuple" || name == "reversed" || name == "sorted" || name == "set" || name == "iter" ||
      name == "frozenset" || name == "filter") {
    if (arguments.positional.empty()) return new_list({});
    List items = items_of(name == "filter" ? second : first);
    if (name == "reversed") std::reverse(items.items.begin(), items.items.end());
    return new_list(std::move(items.items), items.open);
  }
  if (name == "map") {
    const List items = items_of(second);
    std::vector<Value> results;
    repeated_ += items.open ? 1 : 0;
    for (const Value& item : items.items) {
      if (!spend()) break;
      results.push_back(call(first, {.positional = {item}, .keywords = {}, .open = false}, line));
    }
    repeated_ -= items.open ? 1 : 0;
    return new_list(std::move(results), items.open);
  }
  if (name == "next") {
    const List items = items_of(first);
    return items.items.empty() ? Value() : items.items.front();
  }
  if (name == "dict") {
    const Value dict = new_dict();
    if (first.is(ValueKind::kDict)) *dict.dict = *first.dict;
    for (const auto& [key, value] : arguments.keywords) dict.dict->set(key, value);
    return dict;
  }
  if (name == "len") {
    if (first.is(ValueKind::kText)) return Value::whole(static_cast<std::int64_t>(first.text.size()));
    const bool sized = first.is(ValueKind::kList) || first.is(ValueKind::kDict) || first.is(ValueKind::kObject);
    const List items = sized ? items_of(first) : List{.items = {}, .open = true};
    return items.open ? Value::plain() : Value::whole(static_cast<std::int64_t>(items.items.size()));
  }
  if (name == "int" || name == "float" || name == "bool" || name == "str") {
    if (name == "int" && first.is(ValueKind::kFloat) && std::abs(first.number) < 1e15) {
      return Value::whole(static_cast<std::int64_t>(first.number));
    }
    if (name == "float" && first.is(ValueKind::kInt)) return Value::real(static_cast<double>(first.integer));
    if (name == "bool" && truth_of(first).has_value()) return Value::boolean(*truth_of(first));
    if (name == "str" && first.is(ValueKind::kInt)) return Value::words(keep_text(std::to_string(first.integer)));
    const bool same = (name == "int" && first.is(ValueKind::kInt)) ||
                      (name == "float" && first.is(ValueKind::kFloat)) || (name == "str" && first.is(ValueKind::kText));
    return same ? first : Value::plain();
  }
  if (name == "sum") {  // an addition between each two
    const List items = items_of(first);
    if (first.is(ValueKind::kTensor)) return tensor_method(first, "sum", {}, line);
    if (!holds_tensor(first)) return Value::plain();
    repeated_ += items.open ? 1 : 0;
    for (std::size_t i = items.open ? 0 : 1; i < items.items.size(); ++i) note(*find_operator_name("add"), line);
    repeated_ -= items.open ? 1 : 0;
    return Value::tensor();
  }
  if (name == "abs" || name == "max" || name == "min" || name == "round" || name == "pow" || name == "any" ||
      name == "all") {
    if (first.is(ValueKind::kTensor)) return tensor_method(first, name, {}, line);
    if (name == "abs" && first.is(ValueKind::kInt))
      return Value::whole(first.integer < 0 ? 0 - first.integer : first.integer);
    if ((name == "max" || name == "min") && arguments.positional.size() == 2) {
      if (const auto less = comparison("Lt", first, second)) return *less == (name == "min") ? first : second;
    }
    if (name == "pow") return arithmetic("Pow", first, second).value_or(Value::plain());
    return Value::plain();
  }
  if (name == "type" && first.is(ValueKind::kObject) && first.object->type != nullptr) {
    return {.kind = ValueKind::kClass, .type = first.object->type};
  }
  if (name == "callable") {
    const bool certain = first.is(ValueKind::kFunction) || first.is(ValueKind::kClass) || first.is(ValueKind::kName);
    return certain ? Value::boolean(true) : is_constant(first) ? Value::boolean(false) : Value::plain();
  }
  return Value::plain();
}

}  // namespace tritonrl::abstract
