#include <algorithm>

#include "abstract/evaluator.h"

namespace tritonrl::abstract {

void Evaluator::bind(const Function& function, Object* self, const Arguments& arguments, Scope* scope) {
  const Node* parameters = function.node->node("args");
  if (parameters == nullptr) return;
  const auto name_of = [](const Node* parameter) { return parameter == nullptr ? "" : parameter->text("arg"); };
  std::vector<std::string_view> names;
  names.reserve(parameters->nodes("posonlyargs").size() + parameters->nodes("args").size());
  for (const Node* parameter : parameters->nodes("posonlyargs")) names.push_back(name_of(parameter));
  for (const Node* parameter : parameters->nodes("args")) names.push_back(name_of(parameter));

  // Defaults belong to the place of the definition.
  Scope* outer = std::exchange(scope_, function.scope == nullptr ? globals_ : function.scope);
  const auto fallback = [&](const Node* value, std::string_view name) {
    return value == nullptr || arguments.open ? Value::unknown(name) : evaluate(value);
  };
  std::vector<std::string_view> used;
  std::size_t place = 0;
  std::vector<Value> given;
  given.reserve(arguments.positional.size() + 1);
  if (self != nullptr && !function.is_static) {
    given.push_back(Value::of(self));
  } else if (function.is_class_method) {
    given.push_back({.kind = ValueKind::kClass, .type = function.owner});
  }
  given.insert(given.end(), arguments.positional.begin(), arguments.positional.end());
  const Nodes& defaults = parameters->nodes("defaults");
  for (; place < names.size(); ++place) {
    Value value;
    if (place < given.size()) {
      value = given[place];
    } else if (const Value* keyword = arguments.keyword(names[place])) {
      value = *keyword;
      used.push_back(names[place]);
    } else {
      const std::size_t from_end = names.size() - place;
      value = fallback(from_end <= defaults.size() ? defaults[defaults.size() - from_end] : nullptr, names[place]);
    }
    scope->names.set(names[place], value);
  }
  const Nodes& keyword_only = parameters->nodes("kwonlyargs");
  const Nodes& keyword_defaults = parameters->nodes("kw_defaults");
  for (std::size_t i = 0; i < keyword_only.size(); ++i) {
    const std::string_view name = name_of(keyword_only[i]);
    const Value* keyword = arguments.keyword(name);
    used.push_back(name);
    scope->names.set(name, keyword != nullptr
                               ? *keyword
                               : fallback(i < keyword_defaults.size() ? keyword_defaults[i] : nullptr, name));
  }
  if (const Node* rest = parameters->node("vararg")) {
    std::vector<Value> items;
    if (given.size() > names.size())
      items.assign(given.begin() + static_cast<std::ptrdiff_t>(names.size()), given.end());
    scope->names.set(name_of(rest), new_list(std::move(items), arguments.open));
  }
  if (const Node* rest = parameters->node("kwarg")) {
    const Value dict = new_dict();
    for (const auto& [name, value] : arguments.keywords) {
      if (std::find(used.begin(), used.end(), name) == used.end()) dict.dict->set(name, value);
    }
    dict.dict->open = arguments.open;
    scope->names.set(name_of(rest), dict);
  }
  scope_ = outer;
}

}  // namespace tritonrl::abstract
