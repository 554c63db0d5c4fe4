#pragma once

#include <optional>
#include <string_view>

#include "abstract/abstract_value.h"

namespace tritonrl::abstract {

// What an Evaluator asks where it follows a text on tensors of known shape and type (TensorType). None: the evaluator
// goes on as it does without rules, and a tensor that comes out has no type. What a rule gives must live as long as the
// evaluator.
class TensorRules {
 public:
  virtual ~TensorRules() = default;

  // An expression has been evaluated; `quietly`: outside of forward (abstract/evaluator.h: call_quietly, load).
  virtual void saw(const syntax::SyntaxNode& node, const Value& value, bool quietly) = 0;

  // torch.f(...), math.f(...), by the resolved path; a class of torch.nn is asked for by `made`.
  virtual std::optional<Value> call(std::string_view path, const Arguments& arguments) = 0;
  // x.f(...) of a tensor.
  virtual std::optional<Value> method(const Value& tensor, std::string_view name, const Arguments& arguments) = 0;
  // a + b, a < b; `right` null: -a, ~a. By the names of Python's syntax tree: "Add", "Lt", "USub". At least one is a
  // tensor.
  virtual std::optional<Value> sign(std::string_view op, const Value& left, const Value* right) = 0;
  // x[index] of a tensor. A slice is a plain value whose `list` holds its three bounds; `...` is the name
  // "builtins.Ellipsis".
  virtual std::optional<Value> item(const Value& tensor, const Value& index) = 0;
  // x.shape of a tensor.
  virtual std::optional<Value> attribute(const Value& tensor, std::string_view name) = 0;
  // What a name outside the text stands for: "math.pi".
  virtual std::optional<Value> name(std::string_view path) = 0;
  // What iterating over a tensor of known shape goes through.
  virtual std::optional<List> items(const Value& tensor) = 0;

  // A module of the class `path` of torch.nn was constructed: its attributes can be told.
  virtual void made(Object* object, std::string_view path, const Arguments& arguments) = 0;
  // It is called; no container.
  virtual std::optional<Value> layer(const Object& object, const Arguments& arguments) = 0;
};

}  // namespace tritonrl::abstract
