#include <algorithm>

#include "abstract/evaluator.h"

namespace tritonrl::abstract {
namespace {

constexpr std::size_t kMostItems = 256;

// The places of a sequence of this size that a slice means; none: its bounds are not known.
std::optional<std::vector<std::int64_t>> slice_places(const Value& slice, std::int64_t size) {
  const Value& lower = slice.list->items[0];
  const Value& upper = slice.list->items[1];
  const Value& step = slice.list->items[2];
  const auto known = [](const Value& value) { return value.is(ValueKind::kNone) || value.is(ValueKind::kInt); };
  if (!known(lower) || !known(upper) || !known(step)) return std::nullopt;
  const std::int64_t by = step.is(ValueKind::kInt) ? step.integer : 1;
  if (by == 0) return std::nullopt;
  const std::int64_t least = by > 0 ? 0 : -1, most = by > 0 ? size : size - 1;
  const auto bound = [&](const Value& value, std::int64_t otherwise) {
    if (value.is(ValueKind::kNone)) return otherwise;
    return std::clamp(value.integer < 0 ? value.integer + size : value.integer, least, most);
  };
  std::vector<std::int64_t> places;
  const std::int64_t end = bound(upper, by > 0 ? size : -1);
  for (std::int64_t at = bound(lower, by > 0 ? 0 : size - 1); by > 0 ? at < end : at > end; at += by) {
    places.push_back(at);
  }
  return places;
}

}  // namespace

Value Evaluator::subscript(const Node& node) {
  const Value base = evaluate(node.node("value"));
  const Node* index = node.node("slice");
  if (index == nullptr) return {};
  const bool sliceable = base.is(ValueKind::kList) || base.is(ValueKind::kObject);
  if (!index->is("Slice") || !sliceable) return item_of(base, evaluate(index), node.line);
  List& list = base.is(ValueKind::kList) ? *base.list : base.object->items;
  const auto size = static_cast<std::int64_t>(list.items.size());
  const auto bound = [&](std::string_view part, std::int64_t otherwise) -> std::optional<std::int64_t> {
    const Node* given = index->node(part);
    if (given == nullptr) return otherwise;
    const Value value = evaluate(given);
    if (value.is(ValueKind::kNone)) return otherwise;
    if (!value.is(ValueKind::kInt)) return std::nullopt;
    return std::clamp<std::int64_t>(value.integer < 0 ? value.integer + size : value.integer, 0, size);
  };
  if (rules_ != nullptr) return sliced(base, evaluate(index));
  const auto lower = bound("lower", 0), upper = bound("upper", size);
  std::vector<Value> items;
  const bool plain = lower.has_value() && upper.has_value() && index->node("step") == nullptr;
  if (!plain) {
    items = list.items;
    if (index->node("step") != nullptr) std::reverse(items.begin(), items.end());
  } else if (*lower < *upper) {
    items.assign(list.items.begin() + *lower, list.items.begin() + *upper);
  }
  if (base.is(ValueKind::kList)) return new_list(std::move(items), list.open);
  Object& part = new_object();
  part = *base.object;
  part.type = nullptr;
  part.items.items = std::move(items);
  return Value::of(&part);
}

Value Evaluator::slice_of(const Node& node) {
  std::vector<Value> bounds(3, Value::none());
  const std::string_view parts[3] = {"lower", "upper", "step"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.node(parts[i]) != nullptr) bounds[i] = evaluate(node.node(parts[i]));
  }
  Value slice = Value::plain();
  if (rules_ != nullptr) slice.list = new_list(std::move(bounds)).list;
  return slice;
}

Value Evaluator::sliced(const Value& base, const Value& slice) {
  const List& list = base.is(ValueKind::kList) ? *base.list : base.object->items;
  const auto places = slice_places(slice, static_cast<std::int64_t>(list.items.size()));
  List part{.items = {}, .open = list.open || !places.has_value(), .tuple = list.tuple};
  if (places.has_value()) {
    for (const std::int64_t place : *places) part.items.push_back(list.items[static_cast<std::size_t>(place)]);
  }
  if (base.is(ValueKind::kList)) {
    const Value made = new_list({});
    *made.list = std::move(part);
    return made;
  }
  Object& object = new_object();
  object = *base.object;
  object.type = nullptr;
  object.items = std::move(part);
  return Value::of(&object);
}

Value Evaluator::item_of(const Value& base, const Value& index, int line) {
  const auto of_list = [&](const List& list) -> Value {
    if (list.items.empty()) return {};
    const auto size = static_cast<std::int64_t>(list.items.size());
    const std::int64_t place = index.integer < 0 ? index.integer + size : index.integer;
    if (index.is(ValueKind::kInt) && place >= 0 && place < size) return list.items[static_cast<std::size_t>(place)];
    Value any = list.items.front();
    for (const Value& item : list.items) any = either(any, item);
    return any;
  };
  const auto of_table = [&](const NameTable& table) -> Value {
    if (const std::string_view key = key_of(index); !key.empty()) {
      const Value* held = table.find(key);
      return held == nullptr ? Value() : *held;
    }
    Value any;
    for (const auto& [name, value] : table.entries) any = either(any, value);
    return any;
  };
  switch (base.kind) {
    case ValueKind::kTensor:
      note(*find_operator_name(holds_tensor(index) ? "index" : "slice"), line);
      if (rules_ != nullptr) return rules_->item(base, index).value_or(Value::tensor());
      return Value::tensor();
    case ValueKind::kList:
      return of_list(*base.list);
    case ValueKind::kDict:
      return of_table(*base.dict);
    case ValueKind::kObject: {
      if (const Value* own = base.object->type == nullptr ? nullptr : member(*base.object->type, "__getitem__");
          own != nullptr && own->is(ValueKind::kFunction)) {
        return call_function(*own->function, base.object, {.positional = {index}, .keywords = {}, .open = false});
      }
      if (index.is(ValueKind::kText)) return of_table(base.object->attributes);
      return of_list(base.object->items);
    }
    case ValueKind::kName:
      return Value::unknown(base.text);
    case ValueKind::kPlain:
    case ValueKind::kText:
      return Value::plain();
    case ValueKind::kUnknown:
      return Value::unknown(base.text);
    default:
      return {};
  }
}

Value Evaluator::list_of(const Node& node) {
  std::vector<Value> items;
  items.reserve(node.nodes("elts").size());
  bool open = false;
  for (const Node* element : node.nodes("elts")) {
    const Value value = evaluate(element);
    if (element == nullptr || !element->is("Starred")) {
      items.push_back(value);
      continue;
    }
    const List inner = items_of(value);
    open = open || inner.open;
    items.insert(items.end(), inner.items.begin(), inner.items.end());
  }
  const Value list = new_list(std::move(items), open);
  list.list->tuple = node.is("Tuple");
  list.list->lazy = node.is("Set");
  return list;
}

Value Evaluator::dict_of(const Node& node) {
  const Value dict = new_dict();
  const Nodes& keys = node.nodes("keys");
  const Nodes& values = node.nodes("values");
  for (std::size_t i = 0; i < std::min(keys.size(), values.size()); ++i) {
    if (keys[i] == nullptr) {  // {**other}
      const Value other = evaluate(values[i]);
      if (other.is(ValueKind::kDict)) {
        for (const auto& [name, value] : other.dict->entries) dict.dict->set(name, value);
      } else {
        dict.dict->open = true;
      }
      continue;
    }
    const std::string_view key = key_of(evaluate(keys[i]));
    dict.dict->set(key.empty() ? keep_text("\x03" + std::to_string(i)) : key, evaluate(values[i]));
  }
  return dict;
}

Value Evaluator::comprehension(const Node& node) {
  Value result = node.is("DictComp") ? new_dict() : new_list({});
  if (result.is(ValueKind::kList)) result.list->lazy = !node.is("ListComp");
  Scope& inside = new_scope(scope_);
  inside.owner = scope_->owner;
  inside.self = scope_->self;
  Scope* outer = std::exchange(scope_, &inside);
  run_generators(node.nodes("generators"), 0, node, &result);
  scope_ = outer;
  return result;
}

void Evaluator::run_generators(const Nodes& generators, std::size_t place, const Node& node, Value* result) {
  if (place == generators.size()) {
    if (result->is(ValueKind::kList)) {
      append(result->list, evaluate(node.node("elt")));
    } else {
      const std::string_view key = key_of(evaluate(node.node("key")));
      put(result->dict, key.empty() ? "\x02" : key, evaluate(node.node("value")));
      result->dict->open = result->dict->open || repeated_ > 0;
    }
    return;
  }
  const Node* generator = generators[place];
  if (generator == nullptr) return;
  List over = items_of(evaluate(generator->node("iter")));
  if (rules_ == nullptr && over.items.size() > kMostItems) over = {.items = {over.items.front()}, .open = true};
  repeated_ += over.open ? 1 : 0;
  for (const Value& item : over.items) {
    if (!spend()) break;
    assign(generator->node("target"), item);
    const Nodes& tests = generator->nodes("ifs");
    const bool left_out =
        std::any_of(tests.begin(), tests.end(), [&](const Node* test) { return truth_of(evaluate(test)) == false; });
    if (!left_out) run_generators(generators, place + 1, node, result);
  }
  repeated_ -= over.open ? 1 : 0;
}

List Evaluator::items_of(const Value& value) {
  if (value.is(ValueKind::kList)) charge(value.list->items.size() / 4);
  const auto names_of = [this](const NameTable& table) {
    List names{.items = {}, .open = table.open};
    for (const auto& entry : table.entries) names.items.push_back(from_key(entry.first));
    return names;
  };
  switch (value.kind) {
    case ValueKind::kList: {
      List items = *value.list;
      if (items.open && items.items.empty()) items.items.emplace_back();
      return items;
    }
    case ValueKind::kObject:
      if (value.object->container == Container::kDict) return names_of(value.object->attributes);
      if (value.object->container != Container::kNone) return value.object->items;
      return {.items = {Value()}, .open = true};
    case ValueKind::kDict:
      return names_of(*value.dict);
    case ValueKind::kTensor:
      if (rules_ != nullptr) {
        if (auto items = rules_->items(value)) return *std::move(items);
      }
      return {.items = {Value::tensor()}, .open = true};
    case ValueKind::kPlain:
    case ValueKind::kText:
      return {.items = {Value::plain()}, .open = true};
    default:
      return {.items = {Value()}, .open = true};
  }
}

}  // namespace tritonrl::abstract
