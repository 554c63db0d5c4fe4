#include "machine/ir/scope.h"

#include <string>
#include <utility>

namespace tritonrl::machine {

ValueId IrScope::add(Type type) {
  if (values_.size() >= max_values_) throw IrError{0, "too many values"};
  values_.push_back(std::move(type));
  return static_cast<ValueId>(values_.size()) - 1;
}

ValueId IrScope::define(const ValueName& name, Type type) {
  Scope& scope = scopes_.back();
  if (visible_.contains(name)) throw IrError{name.offset, "%" + std::string(name.name) + " defined twice"};
  ValueId id = 0;
  const auto open = scope.open.find(name);
  if (open == scope.open.end()) {
    id = add(std::move(type));
  } else {
    id = open->second;
    values_[static_cast<std::size_t>(id)] = std::move(type);
    scope.open.erase(open);
  }
  visible_.emplace(name, id);
  scope.names.push_back(name);
  return id;
}

ValueId IrScope::use(const ValueName& name) {
  const auto found = visible_.find(name);
  if (found != visible_.end()) return found->second;
  for (Scope& scope : scopes_) {
    const auto open = scope.open.find(name);
    if (open != scope.open.end()) return open->second;
  }
  const ValueId id = add(Type());
  scopes_.back().open.emplace(name, id);
  return id;
}

void IrScope::leave() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const ValueName& name : scope.names) visible_.erase(name);
  if (scope.open.empty()) return;
  if (scopes_.empty()) {
    const ValueName& name = scope.open.begin()->first;
    throw IrError{name.offset, "%" + std::string(name.name) + " is not defined"};
  }
  scopes_.back().open.merge(scope.open);
}

}  // namespace tritonrl::machine
