#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/arena.h"
#include "syntax/lexer.h"

namespace tritonrl::syntax {

// The nodes without fields that a parser needs again and again.
struct BareNodes {
  using Node = const SyntaxNode*;
  Node load, store, del, logical_and, logical_or, negate, usub, uadd, invert, is, is_not, in, not_in;
  Node by_token[64];  // of operators between two operands, with and without "="; null for other tokens
};
const BareNodes& bare_nodes();

// One run of parse: recursive descent over the tokens, by the names of Python's grammar. Statements in
// parse_statements.cpp and parse_compound.cpp, expressions in parse_expressions.cpp, parse_primary.cpp and
// parse_atoms.cpp, strings in parse_strings.cpp, targets and parameters in their own files. A function leaves the
// position behind what it read, or throws SyntaxFailure.
class PythonParser {
 public:
  PythonParser(std::string_view text, SyntaxArena& arena);
  const SyntaxNode* module();

 private:
  using Node = SyntaxNode*;
  using Nodes = std::vector<const SyntaxNode*>;
  using Index = std::size_t;  // of a token

  // Tokens.
  Token type() const { return tokens_[at_].type; }
  Token type(std::size_t ahead) const { return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].type : Token::kEnd; }
  bool at(Token type) const { return tokens_[at_].type == type; }
  void advance() {
    const Token passed = tokens_[at_].type;
    if (passed > Token::kDedent) {
      last_ = at_;
    } else if (passed == Token::kEnd) {
      fail("more");
    }
    ++at_;
  }
  bool take(Token type) {
    if (!at(type)) return false;
    advance();
    return true;
  }
  void expect(Token type, std::string_view what);
  std::string_view word(Index token) const;
  std::string name(std::string_view what);
  [[noreturn]] void fail(std::string_view expected) const;

  // Nodes. `place` gives a node the room from a token to the last one that was read.
  Node open(std::string_view kind, std::size_t fields);
  Node place(Node node, Index start) { return place(node, start, last_); }
  Node place(Node node, Index start, Index end);
  static SyntaxValue optional(Node node);
  template <class Value>
  static void add(Node node, std::string_view field, Value&& value) {
    node->fields.emplace_back(field, std::forward<Value>(value));
  }
  static void add(Node node, std::string_view field, Node value) {
    node->fields.emplace_back(field, static_cast<const SyntaxNode*>(value));
  }
  template <class... Fields>
  Node filled(std::string_view kind, Fields&&... fields) {
    return arena_.filled(kind, std::forward<Fields>(fields)...);
  }
  Nodes collected(std::size_t base);  // from the stack, which shrinks to `base`

  // Statements; they go onto the stack.
  void statement();
  void simple_statements();
  Node simple_statement();
  Node expression_statement(Index start);
  Node annotated(Index start, Node target);
  Node import_name();
  Node import_from();
  Node alias(bool dotted);
  std::string dotted_name();
  Node names_statement(std::string_view kind);
  Nodes block();
  Node decorated();
  Node function(Index start, Nodes decorators, bool async);
  Node class_definition(Nodes decorators);
  Node if_statement();
  Node while_statement();
  Node for_statement(Index start, bool async);
  Node with_statement(Index start, bool async);
  Node with_item();
  bool items_in_parentheses() const;
  Node try_statement();
  Node handler(bool star);
  Nodes else_block();

  // Targets.
  Node star_targets();
  Node star_target();
  void make_target(Node node, const SyntaxNode* context, bool starred);

  // Parameters, up to `close`, which stays.
  Node parameters(Token close, bool annotations);
  Node parameter(bool annotations, bool star_annotation);

  // Expressions.
  Node value_or_yield();
  Node yield_expression();
  Node star_expressions();
  Node star_expression();
  Node star_named_expression();
  Node named_expression();
  Node expression();
  Node lambda();
  Node disjunction();
  Node conjunction();
  Node logical(Token word, const SyntaxNode* op, Node (PythonParser::*inner)());
  Node inversion();
  Node comparison();
  const SyntaxNode* comparison_operator();
  Node bitwise_or();
  Node binary(int least);
  Node factor();
  Node power();
  Node primary();
  void call_arguments(Node call, bool generator_allowed, Index open_bracket);
  Node subscript_index();
  Node slice();
  bool at_comprehension() const { return at(Token::kFor) || (at(Token::kAsync) && type(1) == Token::kFor); }
  Nodes comprehension_clauses();
  Node starred(Node (PythonParser::*inner)());

  Node atom();
  Node constant(SyntaxValue value);
  Node round_atom();
  Node square_atom();
  Node curly_atom();
  Node number();

  // Strings.
  struct JoinedText;
  Node strings();
  void string_part(Index token, JoinedText& joined);
  void joined_text(JoinedText& joined, std::size_t& at, std::size_t end, bool raw, int level);
  void joined_value(JoinedText& joined, std::size_t& at, std::size_t end, bool raw, int level);
  Node embedded_expression(std::size_t begin, std::size_t end, const JoinedText& joined);
  void flush(JoinedText& joined);

  // How deep functions and how high trees may get; both end in the stacks of those who walk them.
  class Deeper;
  class Chain;
  static constexpr int kMostDepth = 400;
  static constexpr int kMostHeight = 1'000;

  const std::string_view text_;
  SyntaxArena& arena_;
  const BareNodes& bare_;
  std::vector<PlacedToken> tokens_;
  Index at_ = 0, last_ = 0;  // the next token; the last that was read and is seen in the text
  Nodes stack_;
  int depth_ = 0;
  int height_ = 0;  // of the highest tree since the enclosing chain began
};

// Counts a level of recursion.
class PythonParser::Deeper {
 public:
  explicit Deeper(PythonParser& parser) : parser_(parser) {
    if (++parser_.depth_ > kMostDepth) parser_.fail("less nesting");
  }
  ~Deeper() { --parser_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  PythonParser& parser_;
};

// Counts the links of a chain such as a.b.c or a + b + c, which make trees high without recursion.
class PythonParser::Chain {
 public:
  explicit Chain(PythonParser& parser) : parser_(parser), outer_(parser.height_) { parser_.height_ = 0; }
  ~Chain() {
    if (outer_ > parser_.height_) parser_.height_ = outer_;
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  void link() {
    if (++parser_.height_ > kMostHeight) parser_.fail("a shorter chain of operators");
  }

 private:
  PythonParser& parser_;
  int outer_;
};

}  // namespace tritonrl::syntax
