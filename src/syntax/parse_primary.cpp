#include "syntax/parse_state.h"

namespace tritonrl::syntax {

SyntaxNode* PythonParser::primary() {
  const Index start = at_;
  Chain chain(*this);
  Node value = atom();
  for (;;) {
    Node node;
    if (take(Token::kDot)) {
      std::string called = name("an attribute");
      node = filled("Attribute", "value", value, "attr", std::move(called), "ctx", bare_.load);
    } else if (at(Token::kOpenRound)) {
      const Index bracket = at_;
      advance();
      node = open("Call", 3);
      add(node, "func", value);
      call_arguments(node, /*generator_allowed=*/true, bracket);
    } else if (take(Token::kOpenSquare)) {
      Node index = subscript_index();
      expect(Token::kCloseSquare, "']'");
      node = filled("Subscript", "value", value, "slice", index, "ctx", bare_.load);
    } else {
      return value;
    }
    chain.link();
    value = place(node, start);
  }
}

// Up to and with the closing bracket; adds the fields "args" and "keywords".
void PythonParser::call_arguments(Node call, bool generator_allowed, Index open_bracket) {
  const std::size_t base = stack_.size();
  Nodes keywords;
  bool doubled = false;  // a ** was there: only keywords may follow
  while (!at(Token::kCloseRound)) {
    const Index start = at_;
    if (at(Token::kStar)) {
      if (doubled) fail("a keyword");
      Node value = starred(&PythonParser::expression);
      stack_.push_back(value);
    } else if (at(Token::kDoubleStar) || (at(Token::kName) && type(1) == Token::kAssign)) {
      SyntaxValue called = NoneValue{};
      if (take(Token::kDoubleStar)) {
        doubled = true;
      } else {
        called = std::string(word(start));
        advance();
        advance();
      }
      Node value = expression();
      keywords.push_back(place(filled("keyword", "arg", std::move(called), "value", value), start));
    } else {
      if (!keywords.empty()) fail("a keyword");
      Node value = named_expression();
      if (at_comprehension()) {
        if (!generator_allowed || stack_.size() != base) fail("')'");
        Node generator = open("GeneratorExp", 2);
        add(generator, "elt", value);
        add(generator, "generators", comprehension_clauses());
        expect(Token::kCloseRound, "')'");
        place(generator, open_bracket);
        add(call, "args", Nodes{generator});
        add(call, "keywords", Nodes());
        return;
      }
      stack_.push_back(value);
    }
    if (!at(Token::kCloseRound)) expect(Token::kComma, "',' or ')'");
  }
  advance();
  add(call, "args", collected(base));
  add(call, "keywords", std::move(keywords));
}

SyntaxNode* PythonParser::subscript_index() {
  const Index start = at_;
  const bool star = at(Token::kStar);
  Node first = slice();
  if (!star && !at(Token::kComma)) return first;
  const std::size_t base = stack_.size();
  stack_.push_back(first);
  while (take(Token::kComma)) {
    if (at(Token::kCloseSquare)) break;
    Node next = slice();
    stack_.push_back(next);
  }
  return place(filled("Tuple", "elts", collected(base), "ctx", bare_.load), start);
}

SyntaxNode* PythonParser::slice() {
  const Index start = at_;
  if (at(Token::kStar)) return starred(&PythonParser::expression);
  Node lower = at(Token::kColon) ? nullptr : named_expression();
  if (!at(Token::kColon)) return lower;
  if (lower != nullptr && tokens_[start].type == Token::kName && tokens_[start + 1].type == Token::kWalrus)
    fail("no slice behind ':='");
  advance();
  const auto absent = [&] { return at(Token::kColon) || at(Token::kComma) || at(Token::kCloseSquare); };
  Node upper = absent() ? nullptr : expression();
  Node step = nullptr;
  if (take(Token::kColon) && !absent()) step = expression();
  return place(filled("Slice", "lower", optional(lower), "upper", optional(upper), "step", optional(step)), start);
}

PythonParser::Nodes PythonParser::comprehension_clauses() {
  const std::size_t base = stack_.size();
  while (at_comprehension()) {
    const bool async = take(Token::kAsync);
    advance();
    Node target = star_targets();
    expect(Token::kIn, "in");
    Node items = disjunction();
    const std::size_t first = stack_.size();
    while (take(Token::kIf)) {
      Node condition = disjunction();
      stack_.push_back(condition);
    }
    Nodes conditions = collected(first);
    stack_.push_back(filled("comprehension", "target", target, "iter", items, "ifs", std::move(conditions), "is_async",
                            std::int64_t{async}));
  }
  return collected(base);
}

}  // namespace tritonrl::syntax
