#include "machine/ir/ir.h"

namespace tritonrl::machine {

const Attribute* Operation::attribute(std::string_view key) const {
  for (const auto& [own, value] : attributes) {
    if (own == key) return &value;
  }
  return nullptr;
}

std::int64_t Operation::integer(std::string_view key, std::int64_t otherwise) const {
  const Attribute* found = attribute(key);
  if (found == nullptr) return otherwise;
  const auto* value = std::get_if<std::int64_t>(found);
  return value == nullptr ? otherwise : *value;
}

std::string_view Operation::string(std::string_view key, std::string_view otherwise) const {
  const Attribute* found = attribute(key);
  if (found == nullptr) return otherwise;
  const auto* value = std::get_if<std::string>(found);
  return value == nullptr ? otherwise : std::string_view(*value);
}

bool Operation::flag(std::string_view key) const {
  const Attribute* found = attribute(key);
  if (found == nullptr) return false;
  if (const auto* value = std::get_if<bool>(found)) return *value;
  return std::holds_alternative<std::monostate>(*found);
}

const Function* Module::find(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const Function* Module::entry() const {
  const Function* found = nullptr;
  for (const Function& function : functions) {
    if (!function.is_public || function.body.blocks.empty()) continue;
    if (found != nullptr) return nullptr;
    found = &function;
  }
  return found;
}

const Location* place_in(const Module& module, int location, std::string_view file) {
  const Location* outermost = nullptr;
  while (location >= 0 && location < static_cast<int>(module.locations.size())) {
    const Location& place = module.locations[static_cast<std::size_t>(location)];
    if (place.file == file) return &place;
    outermost = &place;
    location = place.caller;
  }
  return outermost;
}

}  // namespace tritonrl::machine
