#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/ir/cursor.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

// "%acc#1": a value, or one of a group of results.
struct ValueName {
  std::string_view name;
  int number = 0;
  std::size_t offset = 0;
  bool operator==(const ValueName& other) const { return name == other.name && number == other.number; }
};

// The names of values of one function. A region sees the names around it; its own end with it. A name may be used
// before it is defined, for blocks are printed in any order: it then stands for a value that the region, or one around
// it, must still define.
class IrScope {
 public:
  IrScope(std::vector<Type>& values, std::size_t max_values) : values_(values), max_values_(max_values) {}

  void enter() { scopes_.emplace_back(); }
  void leave();  // names that are still open pass to the scope around; it fails if there is none
  ValueId define(const ValueName& name, Type type);
  ValueId use(const ValueName& name);
  ValueId add(Type type);  // without a name

 private:
  struct Hash {
    std::size_t operator()(const ValueName& name) const {
      return std::hash<std::string_view>()(name.name) + static_cast<std::size_t>(name.number) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Scope {
    std::vector<ValueName> names;
    std::unordered_map<ValueName, ValueId, Hash> open;
  };

  std::vector<Type>& values_;
  std::size_t max_values_;
  std::unordered_map<ValueName, ValueId, Hash> visible_;
  std::vector<Scope> scopes_;
};

}  // namespace tritonrl::machine
