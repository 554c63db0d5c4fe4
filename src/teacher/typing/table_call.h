#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "teacher/operators/operator.h"
#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// Asks the operator table about calls that may stand nowhere in a text (the layers of a Sequential, a partial, starred
// arguments): nodes of its own stand for the arguments. None: the table has no answer.
class TableCall {
 public:
  explicit TableCall(ValueFacts* values);

  std::optional<abstract::Value> function(std::string_view path, const abstract::Arguments& arguments);
  std::optional<abstract::Value> method(const abstract::Value& tensor, std::string_view name,
                                        const abstract::Arguments& arguments);
  std::optional<abstract::Value> layer(const abstract::Object& object, const abstract::Arguments& arguments);
  std::optional<abstract::Value> sign(std::string_view op, const abstract::Value& left, const abstract::Value* right);

 private:
  using Node = syntax::SyntaxNode;

  const Node* stand_in(const abstract::Value& value);
  const Node* stand_in(const abstract::Object& object);
  void fill(const abstract::Arguments& arguments);
  std::optional<abstract::Value> result(const std::optional<Bound>& bound);

  ValueFacts* values_;
  Facts facts_;  // of the nodes below, for the call that is asked about
  std::deque<Node> names_;
  std::deque<Node> keywords_;
  std::size_t used_ = 0;
  Node call_, attribute_, callee_;
  struct Module {
    Node node;
    const Fact* fact = nullptr;
  };
  std::unordered_map<const abstract::Object*, Module> modules_;
  Node binary_, unary_, compare_, op_;
};

}  // namespace tritonrl::teacher
