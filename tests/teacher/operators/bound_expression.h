#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/arena.h"
#include "teacher/operators/operator.h"

namespace tritonrl::teacher {

using NamedFacts = std::vector<std::pair<std::string, Fact>>;

// An expression of Python over names whose facts are given, and what the table makes of it. torch, F and nn are what
// they are called everywhere; a call of a name with a module's fact is a call of the module.
class BoundExpression {
 public:
  BoundExpression(std::string_view text, const NamedFacts& names);

  const std::optional<Bound>& bound() const { return bound_; }
  const syntax::SyntaxNode& expression() const { return *expression_; }
  const Facts& facts() const { return facts_; }

 private:
  void note_names(const syntax::SyntaxNode& node, const NamedFacts& names);

  syntax::SyntaxArena arena_;
  const syntax::SyntaxNode* expression_ = nullptr;
  Facts facts_;
  std::optional<Bound> bound_;
};

// "float32[2, 3]", "int64[]"; several joined by "; "; "?" for none.
std::string words(const std::vector<Fact>& facts);

}  // namespace tritonrl::teacher
