#include <algorithm>

#include "abstract/evaluator.h"

namespace tritonrl::abstract {

Value Evaluator::list_method(const Value& base, std::string_view name, const Arguments& arguments, int line) {
  const Value first = arguments.positional.empty() ? Value() : arguments.positional.front();
  if (name == "append" || name == "add") {
    append(base.list, first);
    return Value::none();
  }
  if (name == "extend" || name == "update") {
    const List items = items_of(first);
    branches_.note_append(base.list);
    for (const Value& item : items.items) append(base.list, item);
    base.list->open = base.list->open || items.open;
    return Value::none();
  }
  if (name == "insert") {
    touch(base.list);
    const Value item = arguments.positional.size() > 1 ? arguments.positional[1] : Value();
    const bool at_front = first.is(ValueKind::kInt) && first.integer == 0;
    base.list->items.insert(at_front ? base.list->items.begin() : base.list->items.end(), item);
    return Value::none();
  }
  if (name == "pop") {
    const Value item = item_of(base, first.is(ValueKind::kInt) ? first : Value::whole(-1), line);
    touch(base.list);
    if (!base.list->items.empty() && !base.list->open) {
      const bool at_front = first.is(ValueKind::kInt) && first.integer == 0;
      base.list->items.erase(at_front ? base.list->items.begin() : base.list->items.end() - 1);
    }
    return item;
  }
  if (name == "reverse") {
    touch(base.list);
    std::reverse(base.list->items.begin(), base.list->items.end());
    return Value::none();
  }
  if (name == "copy") return new_list(base.list->items, base.list->open);
  return Value::plain();
}

Value Evaluator::dict_method(const Value& base, std::string_view name, const Arguments& arguments) {
  const NameTable& table = *base.dict;
  if (name == "items" || name == "values" || name == "keys") {
    std::vector<Value> items;
    for (const auto& [key, value] : table.entries) {
      const Value text = from_key(key);
      items.push_back(name == "items" ? new_list({text, value}) : name == "values" ? value : text);
    }
    return new_list(std::move(items), table.open);
  }
  if (name == "get" || name == "pop" || name == "setdefault") {
    const std::string_view key = arguments.positional.empty() ? "" : key_of(arguments.positional[0]);
    if (const Value* held = key.empty() ? nullptr : table.find(key)) return *held;
    if (key.empty() || table.open) return {};
    return arguments.positional.size() > 1 ? arguments.positional[1] : Value::none();
  }
  if (name == "update" && !arguments.positional.empty() && arguments.positional[0].is(ValueKind::kDict)) {
    for (const auto& [key, value] : arguments.positional[0].dict->entries) put(base.dict, key, value);
    return Value::none();
  }
  if (name == "copy") {
    const Value copy = new_dict();
    *copy.dict = table;
    return copy;
  }
  return {};
}

Value Evaluator::text_method(const Value& base, std::string_view name, const Arguments& arguments) {
  if (name == "format") {
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < base.text.size(); ++i) {
      if (base.text[i] != '{') {
        text += base.text[i];
        continue;
      }
      const std::size_t end = base.text.find('}', i);
      const Value* argument = next < arguments.positional.size() ? &arguments.positional[next++] : nullptr;
      if (end == std::string_view::npos || argument == nullptr) return Value::plain();
      if (argument->is(ValueKind::kText)) {
        text += argument->text;
      } else if (argument->is(ValueKind::kInt)) {
        text += std::to_string(argument->integer);
      } else {
        return Value::plain();
      }
      i = end;
    }
    return text_value(std::move(text));
  }
  if (name == "lower" || name == "upper") {
    std::string text(base.text);
    for (char& c : text) {
      if (name == "lower" && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (name == "upper" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return text_value(std::move(text));
  }
  if ((name == "startswith" || name == "endswith") && arguments.positional.size() == 1 &&
      arguments.positional[0].is(ValueKind::kText)) {
    const std::string_view part = arguments.positional[0].text;
    return Value::boolean(name == "startswith" ? base.text.starts_with(part) : base.text.ends_with(part));
  }
  return Value::plain();
}

}  // namespace tritonrl::abstract
