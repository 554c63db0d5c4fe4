#include "syntax/parse_state.h"

namespace tritonrl::syntax {

PythonParser::Nodes PythonParser::block() {
  expect(Token::kColon, "':'");
  const std::size_t base = stack_.size();
  if (take(Token::kNewline)) {
    expect(Token::kIndent, "an indented block");
    const Deeper deeper(*this);
    while (!take(Token::kDedent)) statement();
  } else {
    simple_statements();
  }
  return collected(base);
}

PythonParser::Nodes PythonParser::else_block() {
  return take(Token::kElse) ? block() : Nodes();
}

SyntaxNode* PythonParser::decorated() {
  const std::size_t base = stack_.size();
  while (take(Token::kAt)) {
    Node decorator = named_expression();
    stack_.push_back(decorator);
    expect(Token::kNewline, "the end of the line");
  }
  Nodes decorators = collected(base);
  const Index start = at_;
  if (at(Token::kClass)) return class_definition(std::move(decorators));
  const bool async = take(Token::kAsync);
  return function(start, std::move(decorators), async);
}

SyntaxNode* PythonParser::function(Index start, Nodes decorators, bool async) {
  expect(Token::kDef, "a function or a class");
  std::string called = name("the name of a function");
  expect(Token::kOpenRound, "'('");
  Node arguments = parameters(Token::kCloseRound, /*annotations=*/true);
  expect(Token::kCloseRound, "')'");
  Node returns = take(Token::kArrow) ? expression() : nullptr;
  Nodes body = block();
  return place(filled(async ? "AsyncFunctionDef" : "FunctionDef", "name", std::move(called), "args", arguments, "body",
                      std::move(body), "decorator_list", std::move(decorators), "returns", optional(returns),
                      "type_comment", NoneValue{}),
               start);
}

SyntaxNode* PythonParser::class_definition(Nodes decorators) {
  const Index start = at_;
  advance();
  std::string called = name("the name of a class");
  Node node = open("ClassDef", 5);
  add(node, "name", std::move(called));
  if (at(Token::kOpenRound)) {
    const Index bracket = at_;
    advance();
    call_arguments(node, /*generator_allowed=*/false, bracket);
    node->fields[1].first = "bases";
  } else {
    add(node, "bases", Nodes());
    add(node, "keywords", Nodes());
  }
  add(node, "body", block());
  add(node, "decorator_list", std::move(decorators));
  return place(node, start);
}

SyntaxNode* PythonParser::if_statement() {
  const Deeper deeper(*this);  // elif is an if within else
  const Index start = at_;
  advance();
  Node test = named_expression();
  Nodes body = block();
  Nodes rest;
  if (at(Token::kElif)) {
    rest.push_back(if_statement());
  } else {
    rest = else_block();
  }
  return place(filled("If", "test", test, "body", std::move(body), "orelse", std::move(rest)), start);
}

SyntaxNode* PythonParser::while_statement() {
  const Index start = at_;
  advance();
  Node test = named_expression();
  Nodes body = block();
  Nodes rest = else_block();
  return place(filled("While", "test", test, "body", std::move(body), "orelse", std::move(rest)), start);
}

SyntaxNode* PythonParser::for_statement(Index start, bool async) {
  advance();
  Node target = star_targets();
  expect(Token::kIn, "in");
  Node items = star_expressions();
  Nodes body = block();
  Nodes rest = else_block();
  return place(filled(async ? "AsyncFor" : "For", "target", target, "iter", items, "body", std::move(body), "orelse",
                      std::move(rest), "type_comment", NoneValue{}),
               start);
}

SyntaxNode* PythonParser::with_statement(Index start, bool async) {
  advance();
  const std::size_t base = stack_.size();
  bool read = false;
  if (items_in_parentheses()) {
    // `with (a, b):` has two items and no tuple, unless what the parentheses hold are no items.
    const Index begin = at_, seen = last_;
    try {
      advance();
      do {
        if (stack_.size() > base && at(Token::kCloseRound)) break;
        Node item = with_item();
        stack_.push_back(item);
      } while (take(Token::kComma));
      expect(Token::kCloseRound, "')'");
      read = true;
    } catch (const SyntaxFailure&) {
      stack_.resize(base);
      at_ = begin;
      last_ = seen;
    }
  }
  if (!read) {
    do {
      Node item = with_item();
      stack_.push_back(item);
    } while (take(Token::kComma));
  }
  Nodes items = collected(base);
  Nodes body = block();
  return place(filled(async ? "AsyncWith" : "With", "items", std::move(items), "body", std::move(body), "type_comment",
                      NoneValue{}),
               start);
}

// Whether a bracket opens here whose end is followed by the block.
bool PythonParser::items_in_parentheses() const {
  if (!at(Token::kOpenRound)) return false;
  int depth = 0;
  for (Index i = at_; i < tokens_.size(); ++i) {
    switch (tokens_[i].type) {
      case Token::kOpenRound:
      case Token::kOpenSquare:
      case Token::kOpenCurly:
        ++depth;
        break;
      case Token::kCloseRound:
      case Token::kCloseSquare:
      case Token::kCloseCurly:
        if (--depth == 0) return i + 1 < tokens_.size() && tokens_[i + 1].type == Token::kColon;
        break;
      default:
        break;
    }
  }
  return false;
}

SyntaxNode* PythonParser::with_item() {
  Node context = expression();
  Node target = nullptr;
  if (take(Token::kAs)) {
    target = star_target();
    if (!at(Token::kComma) && !at(Token::kCloseRound) && !at(Token::kColon)) fail("',' or ':'");
  }
  return filled("withitem", "context_expr", context, "optional_vars", optional(target));
}

SyntaxNode* PythonParser::try_statement() {
  const Index start = at_;
  advance();
  Nodes body = block();
  const bool star = at(Token::kExcept) && type(1) == Token::kStar;
  const std::size_t base = stack_.size();
  while (at(Token::kExcept)) {
    Node next = handler(star);
    stack_.push_back(next);
  }
  Nodes handlers = collected(base), rest, last;
  if (!handlers.empty()) rest = else_block();
  if (take(Token::kFinally)) {
    last = block();
  } else if (handlers.empty()) {
    fail("except or finally");
  }
  return place(filled(star ? "TryStar" : "Try", "body", std::move(body), "handlers", std::move(handlers), "orelse",
                      std::move(rest), "finalbody", std::move(last)),
               start);
}

SyntaxNode* PythonParser::handler(bool star) {
  const Index start = at_;
  advance();
  if (star) expect(Token::kStar, "'*'");
  Node caught = !star && at(Token::kColon) ? nullptr : expression();
  SyntaxValue called = NoneValue{};
  if (caught != nullptr && take(Token::kAs)) called = name("a name");
  Nodes body = block();
  return place(filled("ExceptHandler", "type", optional(caught), "name", std::move(called), "body", std::move(body)),
               start);
}

}  // namespace tritonrl::syntax
