#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace tritonrl::syntax {

// How tightly an expression binds; one that binds less than its place asks for is put in parentheses.
enum class Binding : int {
  kNamed = 1,
  kTuple,
  kYield,
  kTest,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kTerm,
  kFactor,
  kPower,
  kAwait,
  kAtom
};

struct BinaryOperator {
  std::string_view sign;
  Binding binding;
};
// Of the node of an operator between two operands. TRL_CHECK if it is none.
BinaryOperator binary_operator(std::string_view kind);

// One run of unparse. Statements in unparse_statements.cpp, expressions in unparse_expressions.cpp and
// unparse_operators.cpp, patterns of `match`
// in unparse_patterns.cpp, f-strings in unparse_fstring.cpp.
class UnparseWriter {
 public:
  using Node = const SyntaxNode*;
  using Nodes = std::vector<Node>;

  // Appends to `out`; what it holds already does not count.
  UnparseWriter(std::string& out, int indent) : out_(out), begin_(out.size()), indent_(indent) {}

  void any(const SyntaxNode& node);

 private:
  bool statement(const SyntaxNode& node);  // false: it is none
  void expression(Node node, Binding place = Binding::kTest);
  bool pattern(const SyntaxNode& node, Binding place);

  // Statements.
  void fill(std::string_view text);  // begins a line
  void blank_line();                 // unless nothing is written yet
  void block(const Nodes& body);
  void documented_body(const Nodes& body);
  void else_block(const SyntaxNode& node, std::string_view field, std::string_view word);
  void decorators(const SyntaxNode& node);
  void function(const SyntaxNode& node, std::string_view word);
  void class_definition(const SyntaxNode& node);
  void for_loop(const SyntaxNode& node, std::string_view word);
  void if_chain(const SyntaxNode& node);
  void with(const SyntaxNode& node, std::string_view word);
  void try_block(const SyntaxNode& node, bool star);
  void import_from(const SyntaxNode& node);
  void assign(const SyntaxNode& node);
  void annotated_assign(const SyntaxNode& node);
  void words(std::string_view word, const SyntaxNode& node);
  void match(const SyntaxNode& node);

  // Expressions.
  void comma_list(const Nodes& items);
  void tuple_items(const Nodes& items);  // with a comma behind a single one
  void binary(const SyntaxNode& node, Binding place);
  void unary(const SyntaxNode& node, Binding place);
  void boolean(const SyntaxNode& node, Binding place);
  void compare(const SyntaxNode& node, Binding place);
  void conditional(const SyntaxNode& node, Binding place);
  void lambda(const SyntaxNode& node, Binding place);
  void keyword_form(const SyntaxNode& node, std::string_view word, Binding own, Binding place);
  void comprehension(const SyntaxNode& node, char open, char close);
  void generator(const SyntaxNode& node);
  void dictionary(const SyntaxNode& node);
  void attribute(const SyntaxNode& node);
  void call_arguments(const Nodes& positional, const Nodes& keywords);
  void subscript(const SyntaxNode& node);
  void slice(const SyntaxNode& node);
  void arguments(const SyntaxNode& node);
  void argument(const SyntaxNode& node);
  void constant(const SyntaxNode& node);
  void constant_value(const SyntaxValue& value);
  void docstring(const SyntaxNode& node);

  // F-strings.
  void joined(const SyntaxNode& node);
  void joined_part(const SyntaxNode& node);
  void formatted_value(const SyntaxNode& node);

  void open_if(bool condition) {
    if (condition) out_ += '(';
  }
  void close_if(bool condition) {
    if (condition) out_ += ')';
  }

  std::string& out_;
  std::size_t begin_;
  int indent_;
  bool avoid_backslashes_ = false;  // within the braces of an f-string
};

}  // namespace tritonrl::syntax
