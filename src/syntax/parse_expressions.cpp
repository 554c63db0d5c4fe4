#include "syntax/parse_state.h"

namespace tritonrl::syntax {
namespace {

// How tightly an operator between two operands binds; 0: the token is none.
int binding_of(Token type) {
  switch (type) {
    case Token::kBar:
      return 1;
    case Token::kCaret:
      return 2;
    case Token::kAmpersand:
      return 3;
    case Token::kShiftLeft:
    case Token::kShiftRight:
      return 4;
    case Token::kPlus:
    case Token::kMinus:
      return 5;
    case Token::kStar:
    case Token::kSlash:
    case Token::kDoubleSlash:
    case Token::kPercent:
    case Token::kAt:
      return 6;
    default:
      return 0;
  }
}

}  // namespace

SyntaxNode* PythonParser::value_or_yield() {
  return at(Token::kYield) ? yield_expression() : star_expressions();
}

SyntaxNode* PythonParser::yield_expression() {
  const Index start = at_;
  advance();
  if (take(Token::kFrom)) {
    Node value = expression();
    return place(filled("YieldFrom", "value", value), start);
  }
  const bool bare = at(Token::kNewline) || at(Token::kSemicolon) || at(Token::kCloseRound) || at(Token::kAssign);
  Node value = bare ? nullptr : star_expressions();
  return place(filled("Yield", "value", optional(value)), start);
}

SyntaxNode* PythonParser::star_expressions() {
  const Index start = at_;
  Node first = star_expression();
  if (!at(Token::kComma)) return first;
  const std::size_t base = stack_.size();
  stack_.push_back(first);
  while (take(Token::kComma)) {
    // A tuple may end with a comma: where no expression can begin.
    const Token next = type();
    if (next == Token::kNewline || next == Token::kAssign || next == Token::kSemicolon || next == Token::kColon ||
        next == Token::kCloseRound || (next >= Token::kPlusAssign && next <= Token::kDoubleStarAssign))
      break;
    Node item = star_expression();
    stack_.push_back(item);
  }
  return place(filled("Tuple", "elts", collected(base), "ctx", bare_.load), start);
}

SyntaxNode* PythonParser::starred(Node (PythonParser::*inner)()) {
  const Index start = at_;
  advance();
  Node value = (this->*inner)();
  return place(filled("Starred", "value", value, "ctx", bare_.load), start);
}

SyntaxNode* PythonParser::star_expression() {
  return at(Token::kStar) ? starred(&PythonParser::bitwise_or) : expression();
}

SyntaxNode* PythonParser::star_named_expression() {
  return at(Token::kStar) ? starred(&PythonParser::bitwise_or) : named_expression();
}

SyntaxNode* PythonParser::named_expression() {
  if (!at(Token::kName) || type(1) != Token::kWalrus) return expression();
  const Index start = at_;
  advance();
  Node target = place(filled("Name", "id", std::string(word(start)), "ctx", bare_.store), start);
  advance();
  Node value = expression();
  return place(filled("NamedExpr", "target", target, "value", value), start);
}

SyntaxNode* PythonParser::expression() {
  const Deeper deeper(*this);
  if (at(Token::kLambda)) return lambda();
  const Index start = at_;
  Node body = disjunction();
  if (!take(Token::kIf)) return body;
  Node test = disjunction();
  expect(Token::kElse, "else");
  Node rest = expression();
  return place(filled("IfExp", "test", test, "body", body, "orelse", rest), start);
}

SyntaxNode* PythonParser::lambda() {
  const Index start = at_;
  advance();
  Node arguments = parameters(Token::kColon, /*annotations=*/false);
  expect(Token::kColon, "':'");
  Node body = expression();
  return place(filled("Lambda", "args", arguments, "body", body), start);
}

SyntaxNode* PythonParser::disjunction() {
  return logical(Token::kOr, bare_.logical_or, &PythonParser::conjunction);
}

SyntaxNode* PythonParser::conjunction() {
  return logical(Token::kAnd, bare_.logical_and, &PythonParser::inversion);
}

SyntaxNode* PythonParser::logical(Token word, const SyntaxNode* op, Node (PythonParser::*inner)()) {
  const Index start = at_;
  Node first = (this->*inner)();
  if (!at(word)) return first;
  const std::size_t base = stack_.size();
  stack_.push_back(first);
  while (take(word)) {
    Node next = (this->*inner)();
    stack_.push_back(next);
  }
  return place(filled("BoolOp", "op", op, "values", collected(base)), start);
}

SyntaxNode* PythonParser::inversion() {
  if (!at(Token::kNot)) return comparison();
  const Deeper deeper(*this);
  const Index start = at_;
  advance();
  Node operand = inversion();
  return place(filled("UnaryOp", "op", bare_.negate, "operand", operand), start);
}

// The operator here, read; nullptr: there is none.
const SyntaxNode* PythonParser::comparison_operator() {
  const Token token = type();
  if (token >= Token::kEqual && token <= Token::kGreaterEqual) {
    advance();
    return bare_.by_token[static_cast<std::size_t>(token)];
  }
  if (take(Token::kIn)) return bare_.in;
  if (take(Token::kIs)) return take(Token::kNot) ? bare_.is_not : bare_.is;
  if (token != Token::kNot || type(1) != Token::kIn) return nullptr;
  advance();
  advance();
  return bare_.not_in;
}

SyntaxNode* PythonParser::comparison() {
  const Index start = at_;
  Node left = bitwise_or();
  const SyntaxNode* op = comparison_operator();
  if (op == nullptr) return left;
  const std::size_t base = stack_.size();
  Nodes operators;
  for (; op != nullptr; op = comparison_operator()) {
    operators.push_back(op);
    Node operand = bitwise_or();
    stack_.push_back(operand);
  }
  return place(filled("Compare", "left", left, "ops", std::move(operators), "comparators", collected(base)), start);
}

SyntaxNode* PythonParser::bitwise_or() {
  return binary(1);
}

SyntaxNode* PythonParser::binary(int least) {
  const Index start = at_;
  Chain chain(*this);
  Node left = factor();
  for (int binding = binding_of(type()); binding >= least && binding != 0; binding = binding_of(type())) {
    const SyntaxNode* op = bare_.by_token[static_cast<std::size_t>(type())];
    advance();
    Node right = binary(binding + 1);
    chain.link();
    left = place(filled("BinOp", "left", left, "op", op, "right", right), start);
  }
  return left;
}

SyntaxNode* PythonParser::factor() {
  const Token sign = type();
  if (sign != Token::kMinus && sign != Token::kPlus && sign != Token::kTilde) return power();
  const Deeper deeper(*this);
  const Index start = at_;
  advance();
  Node operand = factor();
  const SyntaxNode* op = sign == Token::kMinus ? bare_.usub : sign == Token::kPlus ? bare_.uadd : bare_.invert;
  return place(filled("UnaryOp", "op", op, "operand", operand), start);
}

SyntaxNode* PythonParser::power() {
  const Index start = at_;
  Node base;
  if (take(Token::kAwait)) {
    Node value = primary();
    base = place(filled("Await", "value", value), start);
  } else {
    base = primary();
  }
  if (!take(Token::kDoubleStar)) return base;
  const Deeper deeper(*this);
  Node exponent = factor();
  return place(filled("BinOp", "left", base, "op", bare_.by_token[static_cast<std::size_t>(Token::kDoubleStar)],
                      "right", exponent),
               start);
}

}  // namespace tritonrl::syntax
