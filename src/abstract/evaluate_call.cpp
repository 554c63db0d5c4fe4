#include <algorithm>
#include <unordered_set>

#include "abstract/evaluator.h"

namespace tritonrl::abstract {
namespace {

constexpr std::size_t kDeepestCall = 40;
constexpr int kMostAtOnce = 3;  // of one function in itself

// Methods that lists, dicts and texts have as well: of a value of unknown kind they say nothing.
bool is_ambiguous(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = {"copy", "index", "split", "sort",  "add",
                                                              "set",  "type",  "size",  "apply", "map"};
  return kNames.contains(name);
}

bool any_tensor(const Arguments& arguments) {
  const auto holds = [](const Value& value) { return holds_tensor(value); };
  return std::any_of(arguments.positional.begin(), arguments.positional.end(), holds) ||
         std::any_of(arguments.keywords.begin(), arguments.keywords.end(),
                     [&](const auto& keyword) { return holds(keyword.second); });
}

}  // namespace

Value Evaluator::evaluate_call(const Node& node) {
  const Node* callee = node.node("func");
  if (callee == nullptr) return {};
  if (callee->is("Attribute")) {
    const Value base = evaluate(callee->node("value"));
    if (rules_ != nullptr && base.is(ValueKind::kObject)) {
      const Value* called = base.object->attributes.find(callee->text("attr"));
      if (called != nullptr) rules_->saw(*callee, *called, quiet_ > 0);
    }
    if (rules_ != nullptr && base.is(ValueKind::kName)) {
      const Value function = attribute(base, callee->text("attr"), node.line);
      rules_->saw(*callee, function, quiet_ > 0);
      return call(function, arguments_of(node), node.line);
    }
    return call_method(base, callee->text("attr"), arguments_of(node), node.line);
  }
  const Value function = evaluate(callee);
  return call(function, arguments_of(node), node.line);
}

Arguments Evaluator::arguments_of(const Node& node) {
  Arguments arguments;
  arguments.positional.reserve(node.nodes("args").size());
  arguments.keywords.reserve(node.nodes("keywords").size());
  for (const Node* argument : node.nodes("args")) {
    const Value value = evaluate(argument);
    if (argument == nullptr || !argument->is("Starred")) {
      arguments.positional.push_back(value);
      continue;
    }
    const List items = items_of(value);
    arguments.positional.insert(arguments.positional.end(), items.items.begin(), items.items.end());
    arguments.open = arguments.open || items.open;
  }
  for (const Node* keyword : node.nodes("keywords")) {
    if (keyword == nullptr) continue;
    const Value value = evaluate(keyword->node("value"));
    if (const std::string_view name = keyword->text("arg"); !name.empty()) {
      arguments.keywords.emplace_back(name, value);
    } else if (value.is(ValueKind::kDict)) {
      for (const auto& entry : value.dict->entries) arguments.keywords.push_back(entry);
      arguments.open = arguments.open || value.dict->open;
    } else {
      arguments.open = true;
    }
  }
  return arguments;
}

Value Evaluator::call(const Value& callee, const Arguments& arguments, int line) {
  if (depth_ >= kDeepest || !spend()) return {};
  ++depth_;
  const Value result = call_inner(callee, arguments, line);
  --depth_;
  return result;
}

Value Evaluator::call_inner(const Value& callee, const Arguments& arguments, int line) {
  switch (callee.kind) {
    case ValueKind::kFunction:
      return call_function(*callee.function, callee.object, arguments);
    case ValueKind::kClass:
      return instantiate(callee.type, arguments);
    case ValueKind::kName:
      return call_outside(callee.text, arguments, line);
    case ValueKind::kObject:
      return call_object(callee.object, arguments, line);
    case ValueKind::kPartial: {
      Arguments all = callee.partial->arguments;
      all.positional.insert(all.positional.end(), arguments.positional.begin(), arguments.positional.end());
      // What is given now wins over what was given before.
      all.keywords.insert(all.keywords.begin(), arguments.keywords.begin(), arguments.keywords.end());
      return call(callee.partial->callee, all, line);
    }
    case ValueKind::kUnknown:
      return call_unknown(callee.text, arguments, line);
    default:
      return {};
  }
}

Value Evaluator::call_unknown(std::string_view name, const Arguments& arguments, int line) {
  if (!any_tensor(arguments)) return Value::unknown(name);
  note_unknown(name.empty() ? "call" : name, line);
  return Value::tensor();
}

Value Evaluator::call_method(const Value& base, std::string_view name, const Arguments& arguments, int line) {
  switch (base.kind) {
    case ValueKind::kTensor:
      return tensor_method(base, name, arguments, line);
    case ValueKind::kObject:
      return object_method(base.object, name, arguments, line);
    case ValueKind::kName:
      return call_outside(keep_text(std::string(base.text) + "." + std::string(name)), arguments, line);
    case ValueKind::kClass:
      return class_method(base, name, arguments, line);
    case ValueKind::kSuper:
      return super_method(base, name, arguments, line);
    case ValueKind::kList:
      return list_method(base, name, arguments, line);
    case ValueKind::kDict:
      return dict_method(base, name, arguments);
    case ValueKind::kText:
      return text_method(base, name, arguments);
    case ValueKind::kPlain:
      return Value::plain();
    case ValueKind::kUnknown: {
      const OperatorName* op = is_ambiguous(name) ? nullptr : find_tensor_method(name);
      if (op != nullptr && !op->query) return tensor_method(Value::tensor(), name, arguments, line);
      if (op != nullptr) return Value::plain();
      return call_unknown(name, arguments, line);
    }
    default:
      return call_unknown(name, arguments, line);
  }
}

Value Evaluator::tensor_method(const Value& base, std::string_view name, const Arguments& arguments, int line) {
  if (rules_ != nullptr) {
    if (const auto told = rules_->method(base, name, arguments)) return *told;
  }
  const OperatorName* op = find_tensor_method(name);
  if (op == nullptr) {
    if (name.starts_with("is_") || name.starts_with("__")) return Value::plain();
    return any_tensor(arguments) || !name.ends_with("_") ? (note_unknown(name, line), Value::tensor())
                                                         : Value::tensor();
  }
  note(*op, line);
  return op->query ? Value::plain() : Value::tensor();
}

Value Evaluator::call_function(const Function& function, Object* self, const Arguments& arguments) {
  const auto at_once = std::count(running_.begin(), running_.end(), &function);
  if (running_.size() >= kDeepestCall || at_once >= kMostAtOnce || !spend()) return {};
  Scope& inside = new_scope(function.scope);
  inside.owner = function.owner;
  inside.self = self;
  if (function.node->is("Lambda") && function.scope != nullptr) {  // super() and self as where it was written
    inside.owner = function.scope->owner;
    inside.self = function.scope->self;
  }
  bind(function, self, arguments, &inside);
  running_.push_back(&function);
  Scope* outer = std::exchange(scope_, &inside);
  Value result = Value::none();
  if (function.node->is("Lambda")) {
    result = evaluate(function.node->node("body"));
  } else {
    run_block(function.node->nodes("body"));
    if (inside.yielded != nullptr) {
      result = {.kind = ValueKind::kList, .list = inside.yielded};
    } else if (inside.result.has_value()) {
      result = *inside.result;
    }
  }
  scope_ = outer;
  running_.pop_back();
  return result;
}

}  // namespace tritonrl::abstract
