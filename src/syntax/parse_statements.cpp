#include "syntax/parse_state.h"

namespace tritonrl::syntax {

void PythonParser::statement() {
  const Index start = at_;
  switch (type()) {
    case Token::kIf:
      stack_.push_back(if_statement());
      return;
    case Token::kWhile:
      stack_.push_back(while_statement());
      return;
    case Token::kFor:
      stack_.push_back(for_statement(start, /*async=*/false));
      return;
    case Token::kTry:
      stack_.push_back(try_statement());
      return;
    case Token::kWith:
      stack_.push_back(with_statement(start, /*async=*/false));
      return;
    case Token::kDef:
    case Token::kClass:
    case Token::kAt:
      stack_.push_back(decorated());
      return;
    case Token::kAsync:
      if (type(1) == Token::kDef) {
        stack_.push_back(decorated());
        return;
      }
      advance();
      if (!at(Token::kFor) && !at(Token::kWith)) fail("def, for or with");
      stack_.push_back(at(Token::kFor) ? for_statement(start, /*async=*/true) : with_statement(start, /*async=*/true));
      return;
    default:
      simple_statements();
  }
}

void PythonParser::simple_statements() {
  for (;;) {
    Node node = simple_statement();
    stack_.push_back(node);
    if (take(Token::kNewline)) return;
    expect(Token::kSemicolon, "the end of the statement");
    if (take(Token::kNewline)) return;
  }
}

SyntaxNode* PythonParser::simple_statement() {
  const Index start = at_;
  const auto at_end = [&] { return at(Token::kNewline) || at(Token::kSemicolon); };
  switch (type()) {
    case Token::kReturn: {
      advance();
      Node value = at_end() ? nullptr : star_expressions();
      return place(filled("Return", "value", optional(value)), start);
    }
    case Token::kImport:
      return import_name();
    case Token::kFrom:
      return import_from();
    case Token::kRaise: {
      advance();
      Node exception = at_end() ? nullptr : expression();
      Node cause = exception != nullptr && take(Token::kFrom) ? expression() : nullptr;
      return place(filled("Raise", "exc", optional(exception), "cause", optional(cause)), start);
    }
    case Token::kPass:
      advance();
      return place(open("Pass", 0), start);
    case Token::kBreak:
      advance();
      return place(open("Break", 0), start);
    case Token::kContinue:
      advance();
      return place(open("Continue", 0), start);
    case Token::kDel: {
      advance();
      const std::size_t base = stack_.size();
      do {
        if (stack_.size() > base && at_end()) break;
        Node target = primary();
        make_target(target, bare_.del, /*starred=*/false);
        stack_.push_back(target);
      } while (take(Token::kComma));
      if (!at_end()) fail("a target of del");
      return place(filled("Delete", "targets", collected(base)), start);
    }
    case Token::kAssert: {
      advance();
      Node test = expression();
      Node message = take(Token::kComma) ? expression() : nullptr;
      return place(filled("Assert", "test", test, "msg", optional(message)), start);
    }
    case Token::kGlobal:
      return names_statement("Global");
    case Token::kNonlocal:
      return names_statement("Nonlocal");
    default:
      return expression_statement(start);
  }
}

SyntaxNode* PythonParser::expression_statement(Index start) {
  const bool yields = at(Token::kYield);
  Node value = value_or_yield();
  if (yields && !at(Token::kNewline) && !at(Token::kSemicolon)) fail("the end of the statement");
  if (at(Token::kColon)) return annotated(start, value);
  if (type() >= Token::kPlusAssign && type() <= Token::kDoubleStarAssign) {
    if (!value->is("Name") && !value->is("Attribute") && !value->is("Subscript")) fail("no operator behind this");
    make_target(value, bare_.store, /*starred=*/false);
    const SyntaxNode* op = bare_.by_token[static_cast<std::size_t>(type())];
    advance();
    Node operand = value_or_yield();
    return place(filled("AugAssign", "target", value, "op", op, "value", operand), start);
  }
  if (!at(Token::kAssign)) {
    return place(filled("Expr", "value", value), start);
  }
  const std::size_t base = stack_.size();
  bool last = false;
  while (at(Token::kAssign)) {
    if (last) fail("the end of the statement");
    make_target(value, bare_.store, /*starred=*/true);
    stack_.push_back(value);
    advance();
    last = at(Token::kYield);
    value = value_or_yield();
  }
  return place(filled("Assign", "targets", collected(base), "value", value, "type_comment", NoneValue{}), start);
}

SyntaxNode* PythonParser::annotated(Index start, Node target) {
  if (!target->is("Name") && !target->is("Attribute") && !target->is("Subscript")) fail("the end of the statement");
  make_target(target, bare_.store, /*starred=*/false);
  advance();
  Node annotation = expression();
  Node value = take(Token::kAssign) ? value_or_yield() : nullptr;
  Node node = open("AnnAssign", 4);
  add(node, "target", target);
  add(node, "annotation", annotation);
  add(node, "value", optional(value));
  add(node, "simple", std::int64_t{target->is("Name") && tokens_[start].type == Token::kName});
  return place(node, start);
}

SyntaxNode* PythonParser::import_name() {
  const Index start = at_;
  advance();
  const std::size_t base = stack_.size();
  do {
    Node imported = alias(/*dotted=*/true);
    stack_.push_back(imported);
  } while (take(Token::kComma));
  return place(filled("Import", "names", collected(base)), start);
}

SyntaxNode* PythonParser::import_from() {
  const Index start = at_;
  advance();
  std::int64_t level = 0;
  for (; at(Token::kDot) || at(Token::kEllipsis); advance()) level += at(Token::kDot) ? 1 : 3;
  SyntaxValue module = NoneValue{};
  if (level == 0 || at(Token::kName)) module = dotted_name();
  expect(Token::kImport, "import");
  const std::size_t base = stack_.size();
  if (at(Token::kStar)) {
    const Index star = at_;
    advance();
    stack_.push_back(place(filled("alias", "name", std::string("*"), "asname", NoneValue{}), star));
  } else {
    const bool brackets = take(Token::kOpenRound);
    do {
      if (brackets && stack_.size() > base && at(Token::kCloseRound)) break;
      Node imported = alias(/*dotted=*/false);
      stack_.push_back(imported);
    } while (take(Token::kComma));
    if (brackets) expect(Token::kCloseRound, "a name or ')'");
  }
  return place(filled("ImportFrom", "module", std::move(module), "names", collected(base), "level", level), start);
}

SyntaxNode* PythonParser::alias(bool dotted) {
  const Index start = at_;
  std::string imported = dotted ? dotted_name() : name("a name to import");
  SyntaxValue as = NoneValue{};
  if (take(Token::kAs)) as = name("a name");
  return place(filled("alias", "name", std::move(imported), "asname", std::move(as)), start);
}

std::string PythonParser::dotted_name() {
  std::string out = name("the name of a module");
  while (take(Token::kDot)) (out += '.') += name("a name");
  return out;
}

SyntaxNode* PythonParser::names_statement(std::string_view kind) {
  const Index start = at_;
  advance();
  std::vector<std::string> names;
  do {
    names.push_back(name("a name"));
  } while (take(Token::kComma));
  return place(filled(kind, "names", std::move(names)), start);
}

}  // namespace tritonrl::syntax
