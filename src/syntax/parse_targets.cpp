#include "syntax/parse_state.h"

namespace tritonrl::syntax {

SyntaxNode* PythonParser::star_targets() {
  const Index start = at_;
  Node first = star_target();
  if (!at(Token::kComma)) return first;
  const std::size_t base = stack_.size();
  stack_.push_back(first);
  while (take(Token::kComma)) {
    if (at(Token::kIn)) break;
    Node next = star_target();
    stack_.push_back(next);
  }
  return place(filled("Tuple", "elts", collected(base), "ctx", bare_.store), start);
}

SyntaxNode* PythonParser::star_target() {
  Node target = at(Token::kStar) ? starred(&PythonParser::primary) : primary();
  make_target(target, bare_.store, /*starred=*/true);
  return target;
}

// What was read as a value becomes what is assigned to or deleted.
void PythonParser::make_target(Node node, const SyntaxNode* context, bool starred) {
  const auto set = [&](std::size_t field) { node->fields[field].second = context; };
  const auto inner = [&](const SyntaxNode* child) { make_target(const_cast<SyntaxNode*>(child), context, starred); };
  if (node->is("Name")) {
    set(1);
  } else if (node->is("Attribute") || node->is("Subscript")) {
    set(2);
  } else if (node->is("Tuple") || node->is("List")) {
    set(1);
    for (const SyntaxNode* item : std::get<Nodes>(node->fields[0].second)) inner(item);
  } else if (node->is("Starred") && starred) {
    set(1);
    const SyntaxNode* value = std::get<const SyntaxNode*>(node->fields[0].second);
    if (value->is("Starred")) fail("one '*'");
    inner(value);
  } else {
    fail("a value before it, not a target,");
  }
}

}  // namespace tritonrl::syntax
