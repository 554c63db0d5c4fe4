#include "python/syntax_tree.h"

namespace tritonrl::python {

const SyntaxValue* SyntaxNode::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

const SyntaxNode* SyntaxNode::node(std::string_view name) const {
  const SyntaxValue* value = field(name);
  const auto* held = value == nullptr ? nullptr : std::get_if<const SyntaxNode*>(value);
  return held == nullptr ? nullptr : *held;
}

const std::vector<const SyntaxNode*>& SyntaxNode::nodes(std::string_view name) const {
  static const std::vector<const SyntaxNode*> kNone;
  const SyntaxValue* value = field(name);
  const auto* held = value == nullptr ? nullptr : std::get_if<std::vector<const SyntaxNode*>>(value);
  return held == nullptr ? kNone : *held;
}

std::string_view SyntaxNode::text(std::string_view name) const {
  const SyntaxValue* value = field(name);
  const auto* held = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return held == nullptr ? std::string_view() : *held;
}

}  // namespace tritonrl::python
