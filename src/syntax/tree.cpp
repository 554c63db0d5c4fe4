#include "syntax/tree.h"

namespace tritonrl::syntax {

const std::vector<const SyntaxNode*>& SyntaxNode::as_nodes(const SyntaxValue* value) {
  static const std::vector<const SyntaxNode*> kNone;
  const auto* held = value == nullptr ? nullptr : std::get_if<std::vector<const SyntaxNode*>>(value);
  return held == nullptr ? kNone : *held;
}

}  // namespace tritonrl::syntax
