#include "abstract/forward_operators.h"

#include "abstract/evaluator.h"

namespace tritonrl::abstract {
namespace {

// A class whose instances are called: it has a forward, or it is built on torch.nn.
bool is_module(const Evaluator& evaluator, const Class& type) {
  const std::string_view base = evaluator.outside_base(type);
  if (base.starts_with("torch.autograd.")) return false;
  return evaluator.member(type, "forward") != nullptr || base.starts_with("torch.nn.") || base.ends_with("Module");
}

const Class* find_entry(Evaluator* evaluator, const std::string& wanted) {
  const NameTable& names = evaluator->globals().names;
  for (const std::string_view name : {std::string_view(wanted), std::string_view("Model")}) {
    const Value* value = name.empty() ? nullptr : names.find(name);
    if (value != nullptr && value->is(ValueKind::kClass)) return value->type;
    if (!wanted.empty()) return nullptr;
  }
  const Class* last = nullptr;
  for (const auto& entry : names.entries) {
    if (entry.second.is(ValueKind::kClass) && is_module(*evaluator, *entry.second.type)) last = entry.second.type;
  }
  return last;
}

// What get_init_inputs and get_inputs return: a list of arguments, or [[...], {...}], arguments and keywords.
Arguments given_by(Evaluator* evaluator, std::string_view function, bool* exists) {
  Arguments arguments;
  const Value* value = evaluator->globals().names.find(function);
  *exists = value != nullptr && value->is(ValueKind::kFunction);
  if (!*exists) {
    arguments.open = true;
    return arguments;
  }
  const Value result = evaluator->call_quietly(*value, {});
  if (!result.is(ValueKind::kList)) {
    arguments.open = true;
    return arguments;
  }
  const std::vector<Value>& items = result.list->items;
  arguments.open = result.list->open;
  if (items.size() == 2 && items[0].is(ValueKind::kList) && items[1].is(ValueKind::kDict)) {
    arguments.positional = items[0].list->items;
    arguments.keywords = items[1].dict->entries;
  } else {
    arguments.positional = items;
  }
  return arguments;
}

// Without get_inputs, whatever forward cannot do without is a tensor.
void add_needed_tensors(const Value& forward, Arguments* inputs) {
  if (!forward.is(ValueKind::kFunction)) return;
  const syntax::SyntaxNode* parameters = forward.function->node->node("args");
  if (parameters == nullptr) return;
  std::size_t needed = parameters->nodes("posonlyargs").size() + parameters->nodes("args").size();
  needed -= std::min(needed, parameters->nodes("defaults").size());
  if (!forward.function->is_static) needed -= std::min<std::size_t>(needed, 1);
  while (inputs->positional.size() < needed) inputs->positional.push_back(Value::tensor());
  if (parameters->node("vararg") != nullptr && inputs->positional.empty())
    inputs->positional.push_back(Value::tensor());
}

}  // namespace

ForwardOperators forward_operators(const syntax::SyntaxNode& module, const std::string& entry_point,
                                   TensorRules* rules) {
  ForwardOperators result;
  Evaluator evaluator(rules);
  evaluator.load(module);
  evaluator.refill();
  const Arguments init_inputs = given_by(&evaluator, "get_init_inputs", &result.has_init_inputs);
  Arguments inputs = given_by(&evaluator, "get_inputs", &result.has_inputs);
  const Class* entry = find_entry(&evaluator, entry_point);
  if (entry == nullptr) return result;
  result.entry_point = std::string(entry->name);

  Arguments made_with = init_inputs;
  if (!result.has_init_inputs) made_with.open = false;  // defaults are as good a guess as any
  evaluator.refill();
  const Value instance =
      evaluator.call_quietly({.kind = ValueKind::kClass, .type = const_cast<Class*>(entry)}, made_with);
  for (Value& input : inputs.positional) {
    if (input.is(ValueKind::kUnknown)) input = Value::tensor();
  }
  inputs.open = false;
  if (const Value* forward = evaluator.member(*entry, "forward")) {
    add_needed_tensors(*forward, &inputs);
  } else if (inputs.positional.empty()) {
    inputs.positional.push_back(Value::tensor());
  }
  evaluator.refill();
  evaluator.call(instance, inputs, 0);
  result.operators = evaluator.take_operators();
  return result;
}

}  // namespace tritonrl::abstract
