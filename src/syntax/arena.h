#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/tree.h"

namespace tritonrl::syntax {

// Makes nodes and owns them: what is parsed here, or written anew between nodes that were read. Names of kinds and
// fields are literals. Texts are copied. Nodes live as long as the arena and are not moved.
class SyntaxArena {
 public:
  using Node = const SyntaxNode*;
  using Nodes = std::vector<Node>;

  SyntaxArena() = default;
  SyntaxArena(const SyntaxArena&) = delete;
  SyntaxArena& operator=(const SyntaxArena&) = delete;

  // A node to be filled; its address is the node's.
  SyntaxNode& make(std::string_view kind);
  // One with these fields: names and values in turn.
  template <class... Fields>
  SyntaxNode* filled(std::string_view kind, Fields&&... fields) {
    SyntaxNode& node = make(kind);
    node.fields.reserve(sizeof...(Fields) / 2);
    add(node, std::forward<Fields>(fields)...);
    return &node;
  }
  // A copy of the node itself (its children are shared) whose fields may be changed.
  SyntaxNode& copy(const SyntaxNode& node);

  // A node without fields, such as Load or Add; one for all trees, and it stays.
  static Node bare(std::string_view kind);
  // A text for an OtherConstant.
  std::string_view keep(std::string text);

  Node name(std::string_view id);  // read; as a target: name_target
  Node name_target(std::string_view id);
  Node attribute(Node base, std::string_view name);
  Node dotted(std::string_view path);  // "self.act.alpha"
  Node integer(std::int64_t value);    // negative: UnaryOp, as Python's parser gives it
  Node real(double value);
  Node text(std::string_view value);
  Node truth(bool value);
  Node none();
  Node call(Node callee, Nodes arguments, std::vector<std::pair<std::string_view, Node>> keywords = {});
  Node binary(Node left, std::string_view op, Node right);  // "Add", "Mult"
  Node tuple(Nodes items);
  Node assign(Node target, Node value);  // target as name_target or attribute gives it
  Node give_back(Node value);            // return
  Node module(Nodes statements);

  // Forgets all nodes but keeps the memory.
  void clear();

 private:
  static constexpr std::size_t kChunk = 256;
  static void add(SyntaxNode&) {}
  template <class Value, class... Rest>
  static void add(SyntaxNode& node, std::string_view field, Value&& value, Rest&&... rest) {
    if constexpr (std::is_same_v<std::remove_cvref_t<Value>, SyntaxNode*>) {
      node.fields.emplace_back(field, static_cast<Node>(value));
    } else {
      node.fields.emplace_back(field, std::forward<Value>(value));
    }
    add(node, std::forward<Rest>(rest)...);
  }
  Node constant(SyntaxValue value);
  Node negative(Node operand);

  std::vector<std::unique_ptr<SyntaxNode[]>> chunks_;
  std::size_t used_ = 0;  // nodes of the chunks
  std::deque<std::string> texts_;
};

}  // namespace tritonrl::syntax
