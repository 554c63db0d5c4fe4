#include "syntax/arena.h"

#include <cmath>
#include <limits>

#include "base/check.h"
#include "syntax/unparse_kinds.h"

namespace tritonrl::syntax {

using Node = SyntaxArena::Node;

SyntaxNode& SyntaxArena::make(std::string_view kind) {
  if (used_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<SyntaxNode[]>(kChunk));
  SyntaxNode& node = chunks_[used_ / kChunk][used_ % kChunk];
  ++used_;
  node.kind = kind;
  node.fields.clear();
  node.line = node.column = node.end_line = node.end_column = 0;
  return node;
}

SyntaxNode& SyntaxArena::copy(const SyntaxNode& node) {
  SyntaxNode& out = make(node.kind);
  out = node;
  return out;
}

std::string_view SyntaxArena::keep(std::string text) {
  return texts_.emplace_back(std::move(text));
}

void SyntaxArena::clear() {
  used_ = 0;
  texts_.clear();
}

Node SyntaxArena::bare(std::string_view kind) {
  static const std::vector<SyntaxNode> nodes = [] {
    std::vector<SyntaxNode> all(static_cast<std::size_t>(SyntaxKind::kUnknown));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].kind = syntax_name(static_cast<SyntaxKind>(i));
    return all;
  }();
  const auto index = static_cast<std::size_t>(syntax_kind(kind));
  TRL_CHECK(index < nodes.size(), "a kind of Python's");
  return &nodes[index];
}

Node SyntaxArena::name(std::string_view id) {
  return filled("Name", "id", std::string(id), "ctx", bare("Load"));
}

Node SyntaxArena::name_target(std::string_view id) {
  return filled("Name", "id", std::string(id), "ctx", bare("Store"));
}

Node SyntaxArena::attribute(Node base, std::string_view name) {
  return filled("Attribute", "value", base, "attr", std::string(name), "ctx", bare("Load"));
}

Node SyntaxArena::dotted(std::string_view path) {
  std::size_t dot = path.find('.');
  Node node = name(path.substr(0, dot));
  while (dot != std::string_view::npos) {
    const std::size_t end = path.find('.', dot + 1);
    node = attribute(node, path.substr(dot + 1, end - dot - 1));
    dot = end;
  }
  return node;
}

Node SyntaxArena::constant(SyntaxValue value) {
  return filled("Constant", "value", std::move(value), "kind", NoneValue{});
}

Node SyntaxArena::negative(Node operand) {
  return filled("UnaryOp", "op", bare("USub"), "operand", operand);
}

Node SyntaxArena::integer(std::int64_t value) {
  if (value >= 0) return constant(value);
  if (value == std::numeric_limits<std::int64_t>::min())
    return negative(constant(OtherConstant{"int", "9223372036854775808"}));
  return negative(constant(-value));
}

Node SyntaxArena::real(double value) {
  return std::signbit(value) ? negative(constant(-value)) : constant(value);
}

Node SyntaxArena::text(std::string_view value) {
  return constant(std::string(value));
}
Node SyntaxArena::truth(bool value) {
  return constant(value);
}
Node SyntaxArena::none() {
  return constant(NoneValue{});
}

Node SyntaxArena::call(Node callee, Nodes arguments, std::vector<std::pair<std::string_view, Node>> keywords) {
  Nodes named;
  named.reserve(keywords.size());
  for (const auto& [name, value] : keywords) {
    named.push_back(filled("keyword", "arg", std::string(name), "value", value));
  }
  return filled("Call", "func", callee, "args", std::move(arguments), "keywords", std::move(named));
}

Node SyntaxArena::binary(Node left, std::string_view op, Node right) {
  return filled("BinOp", "left", left, "op", bare(op), "right", right);
}

Node SyntaxArena::tuple(Nodes items) {
  return filled("Tuple", "elts", std::move(items), "ctx", bare("Load"));
}

Node SyntaxArena::assign(Node target, Node value) {
  if (target->is("Attribute")) {
    SyntaxNode& stored = copy(*target);
    stored.fields.back() = {"ctx", bare("Store")};
    target = &stored;
  }
  return filled("Assign", "targets", Nodes{target}, "value", value, "type_comment", NoneValue{});
}

Node SyntaxArena::give_back(Node value) {
  return filled("Return", "value", value);
}

Node SyntaxArena::module(Nodes statements) {
  return filled("Module", "body", std::move(statements), "type_ignores", Nodes{});
}

}  // namespace tritonrl::syntax
