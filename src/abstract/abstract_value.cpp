#include "abstract/abstract_value.h"

#include <algorithm>

namespace tritonrl::abstract {
namespace {

constexpr int kDeepestList = 4;
constexpr int kMostLooked = 2'000;

int told_by(const Value& value) {
  switch (value.kind) {
    case ValueKind::kUnknown:
      return 0;
    case ValueKind::kNone:
      return 1;
    case ValueKind::kPlain:
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kFloat:
    case ValueKind::kText:
      return 2;
    case ValueKind::kTensor:
      return 3;
    case ValueKind::kList:
    case ValueKind::kDict:
    case ValueKind::kName:
    case ValueKind::kClass:
    case ValueKind::kFunction:
    case ValueKind::kPartial:
    case ValueKind::kSuper:
      return 4;
    case ValueKind::kObject:
      return value.object->container == Container::kNone ? 6 : 5;
  }
  return 0;
}

// Looks at no more than `left` values: a list may hold itself.
bool holds_tensor(const Value& value, int depth, int* left) {
  if (value.is(ValueKind::kTensor)) return true;
  if (depth == 0 || --*left < 0) return false;
  const auto holds = [&](const Value& item) { return holds_tensor(item, depth - 1, left); };
  if (value.is(ValueKind::kList)) return std::any_of(value.list->items.begin(), value.list->items.end(), holds);
  if (value.is(ValueKind::kDict)) {
    return std::any_of(value.dict->entries.begin(), value.dict->entries.end(),
                       [&](const auto& entry) { return holds(entry.second); });
  }
  return false;
}

}  // namespace

const Value* NameTable::find(std::string_view name) const {
  for (const auto& [key, value] : entries) {
    if (key == name) return &value;
  }
  return nullptr;
}

void NameTable::set(std::string_view name, const Value& value) {
  for (auto& [key, held] : entries) {
    if (key == name) {
      held = value;
      return;
    }
  }
  if (entries.empty()) entries.reserve(8);
  entries.emplace_back(name, value);
}

void NameTable::erase(std::string_view name) {
  std::erase_if(entries, [&](const auto& entry) { return entry.first == name; });
}

const Value* Arguments::keyword(std::string_view name) const {
  for (const auto& [key, value] : keywords) {
    if (key == name) return &value;
  }
  return nullptr;
}

const Value* Arguments::get(std::size_t place, std::string_view name) const {
  return place < positional.size() ? &positional[place] : keyword(name);
}

std::optional<bool> truth_of(const Value& value) {
  const auto of_length = [](bool filled, bool open) -> std::optional<bool> {
    if (!filled && open) return std::nullopt;
    return filled;
  };
  switch (value.kind) {
    case ValueKind::kNone:
      return false;
    case ValueKind::kBool:
    case ValueKind::kInt:
      return value.integer != 0;
    case ValueKind::kFloat:
      return value.number != 0;
    case ValueKind::kText:
      return !value.text.empty();
    case ValueKind::kList:
      return of_length(!value.list->items.empty(), value.list->open);
    case ValueKind::kDict:
      return of_length(!value.dict->entries.empty(), value.dict->open);
    case ValueKind::kObject:
      if (value.object->container == Container::kNone) return true;
      return of_length(!value.object->items.items.empty(), value.object->items.open);
    case ValueKind::kClass:
    case ValueKind::kFunction:
    case ValueKind::kPartial:
    case ValueKind::kSuper:
      return true;
    default:
      return std::nullopt;
  }
}

bool is_constant(const Value& value) {
  return value.is(ValueKind::kNone) || value.is(ValueKind::kBool) || value.is(ValueKind::kInt) ||
         value.is(ValueKind::kFloat) || value.is(ValueKind::kText);
}

bool same_constant(const Value& a, const Value& b) {
  return is_constant(a) && a.kind == b.kind && a.integer == b.integer && a.number == b.number && a.text == b.text;
}

bool holds_tensor(const Value& value) {
  int left = kMostLooked;
  return holds_tensor(value, kDeepestList, &left);
}

Value either(const Value& a, const Value& b) {
  if (a.is(ValueKind::kList) && b.is(ValueKind::kList)) {
    return a.list->items.size() >= b.list->items.size() ? a : b;
  }
  const int of_a = told_by(a), of_b = told_by(b);
  if (of_a != of_b) return of_a > of_b ? a : b;
  if (is_constant(a) && !same_constant(a, b)) return Value::plain();
  if (a.tensor_type != nullptr && (b.tensor_type == nullptr || !(*a.tensor_type == *b.tensor_type))) {
    return Value::tensor();
  }
  return a;
}

}  // namespace tritonrl::abstract
