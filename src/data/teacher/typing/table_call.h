#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "data/teacher/operators/operator.h"
#include "data/teacher/typing/value_facts.h"

namespace tritonrl::data::teacher {

// Asks the operator table about calls that may stand nowhere in a text (the layers of a Sequential, a partial, starred
// arguments): nodes of its own stand for the arguments. None: the table has no answer.
class TableCall {
 public:
  explicit TableCall(ValueFacts* values);

  std::optional<Value> function(std::string_view path, const Arguments& arguments);
  std::optional<Value> method(const Value& tensor, std::string_view name, const Arguments& arguments);
  std::optional<Value> layer(const Object& object, const Arguments& arguments);
  std::optional<Value> sign(std::string_view op, const Value& left, const Value* right);

 private:
  using Node = python::SyntaxNode;

  const Node* stand_in(const Value& value);
  const Node* stand_in(const Object& object);
  void fill(const Arguments& arguments);
  std::optional<Value> result(const std::optional<Bound>& bound);

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
  std::unordered_map<const Object*, Module> modules_;
  Node binary_, unary_, compare_, op_;
};

}  // namespace tritonrl::data::teacher
