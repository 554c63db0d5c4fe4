#include "abstract/evaluator.h"

#include <algorithm>
#include <charconv>

namespace tritonrl::abstract {
namespace {

constexpr int kMostSteps = 30'000;
constexpr int kMostStepsOnTypes = 300'000;  // loops over sizes are unrolled
constexpr std::size_t kMostOperators = 4'096;
constexpr std::size_t kLongestText = 1'024;
constexpr std::size_t kLongestList = 4'096;

}  // namespace

Evaluator::Evaluator(TensorRules* rules) : rules_(rules) {
  refill();
  globals_ = &new_scope(nullptr);
  scope_ = globals_;
}

void Evaluator::refill() {
  steps_left_ = rules_ == nullptr ? kMostSteps : kMostStepsOnTypes;
}

bool Evaluator::spend() {
  if (steps_left_ <= 0) return false;
  --steps_left_;
  return true;
}

void Evaluator::load(const syntax::SyntaxNode& module) {
  ++quiet_;
  run_block(module.nodes("body"));
  --quiet_;
}

Value Evaluator::call_quietly(const Value& callee, const Arguments& arguments) {
  ++quiet_;
  const Value value = call(callee, arguments, 0);
  --quiet_;
  return value;
}

void Evaluator::note(const OperatorName& op, int line) {
  if (rules_ != nullptr || quiet_ > 0 || op.query || operators_.size() >= kMostOperators) return;
  operators_.push_back(
      {.name = std::string(op.name), .kind = op.kind, .known = true, .repeated = repeated_ > 0, .line = line});
}

void Evaluator::note_unknown(std::string_view name, int line) {
  if (rules_ != nullptr || quiet_ > 0 || operators_.size() >= kMostOperators) return;
  name = name.substr(name.rfind('.') + 1);
  operators_.push_back({.name = "?" + std::string(name),
                        .kind = program::OperatorKind::kPointwise,
                        .known = false,
                        .repeated = repeated_ > 0,
                        .line = line});
}

int Evaluator::computing_since(std::size_t mark) const {
  int count = 0;
  for (std::size_t i = mark; i < operators_.size(); ++i) count += program::is_compute(operators_[i].kind) ? 1 : 0;
  return count;
}

void Evaluator::charge(std::size_t items) {
  constexpr std::size_t kItemsAStep = 8;
  steps_left_ -= static_cast<int>(items / kItemsAStep);
}

std::string_view Evaluator::keep_text(std::string text) {
  charge(text.size() / 8);
  return texts_.emplace_back(std::move(text));
}

Value Evaluator::text_value(std::string text) {
  return text.size() > kLongestText ? Value::plain() : Value::words(keep_text(std::move(text)));
}

void Evaluator::touch(List* list) {
  charge(list->items.size());
  branches_.touch(list);
}

void Evaluator::put(NameTable* table, std::string_view name, const Value& value) {
  charge(table->entries.size() / 8);
  branches_.write(table, name, value);
}

std::string_view Evaluator::key_of(const Value& value) {
  if (value.is(ValueKind::kText)) return value.text;
  // A number's key must not be that of a text.
  if (value.is(ValueKind::kInt) || value.is(ValueKind::kBool)) return keep_text("\x01" + std::to_string(value.integer));
  return {};
}

Value Evaluator::from_key(std::string_view key) const {
  if (rules_ == nullptr || key.size() < 2 || key.front() != '\x01') return Value::words(key);
  std::int64_t number = 0;
  std::from_chars(key.data() + 1, key.data() + key.size(), number);
  return Value::whole(number);
}

Value Evaluator::new_list(std::vector<Value> items, bool open) {
  charge(items.size());
  List& list = lists_.emplace_back();
  list.items = std::move(items);
  list.open = open;
  return {.kind = ValueKind::kList, .list = &list};
}

Value Evaluator::new_dict() {
  return {.kind = ValueKind::kDict, .dict = &dicts_.emplace_back()};
}

Object& Evaluator::new_object() {
  return objects_.emplace_back();
}

Scope& Evaluator::new_scope(Scope* parent) {
  Scope& scope = scopes_.emplace_back();
  scope.parent = parent;
  return scope;
}

Value* Evaluator::find_name(std::string_view name) {
  for (Scope* scope = scope_; scope != nullptr; scope = scope->parent) {
    for (auto& [key, value] : scope->names.entries) {
      if (key == name) return &value;
    }
  }
  return nullptr;
}

void Evaluator::append(List* list, const Value& value) {
  branches_.note_append(list);
  const bool full = list->items.size() >= kLongestList;
  if (!full) list->items.push_back(value);
  list->open = list->open || full || repeated_ > 0;
}

}  // namespace tritonrl::abstract
