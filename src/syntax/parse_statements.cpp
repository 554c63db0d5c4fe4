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
      Node node = open("Return", 1);
      add(node, "value", optional(value));
      return place(node, start);
    }
    case Token::kImport:
      return import_name();
    case Token::kFrom:
      return import_from();
    case Token::kRaise: {
      advance();
      Node exception = at_end() ? nullptr : expression();
      Node cause = exception != nullptr && take(Token::kFrom) ? expression() : nullptr;
      Node node = open("Raise", 2);
      add(node, "exc", optional(exception));
      add(node, "cause", optional(cause));
      return place(node, start);
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
      Node node = open("Delete", 1);
      add(node, "targets", collected(base));
      return place(node, start);
    }
    case Token::kAssert: {
      advance();
      Node test = expression();
      Node message = take(Token::kComma) ? expression() : nullptr;
      Node node = open("Assert", 2);
      add(node, "test", test);
      add(node, "msg", optional(message));
      return place(node, start);
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
    Node node = open("AugAssign", 3);
    add(node, "target", value);
    add(node, "op", op);
    add(node, "value", operand);
    return place(node, start);
  }
  if (!at(Token::kAssign)) {
    Node node = open("Expr", 1);
    add(node, "value", value);
    return place(node, start);
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
  Node node = open("Assign", 3);
  add(node, "targets", collected(base));
  add(node, "value", value);
  add(node, "type_comment", NoneValue{});
  return place(node, start);
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
  Node node = open("Import", 1);
  add(node, "names", collected(base));
  return place(node, start);
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
    Node all = open("alias", 2);
    add(all, "name", std::string("*"));
    add(all, "asname", NoneValue{});
    stack_.push_back(place(all, star));
  } else {
    const bool brackets = take(Token::kOpenRound);
    do {
      if (brackets && stack_.size() > base && at(Token::kCloseRound)) break;
      Node imported = alias(/*dotted=*/false);
      stack_.push_back(imported);
    } while (take(Token::kComma));
    if (brackets) expect(Token::kCloseRound, "a name or ')'");
  }
  Node node = open("ImportFrom", 3);
  add(node, "module", std::move(module));
  add(node, "names", collected(base));
  add(node, "level", level);
  return place(node, start);
}

SyntaxNode* PythonParser::alias(bool dotted) {
  const Index start = at_;
  std::string imported = dotted ? dotted_name() : name("a name to import");
  SyntaxValue as = NoneValue{};
  if (take(Token::kAs)) as = name("a name");
  Node node = open("alias", 2);
  add(node, "name", std::move(imported));
  add(node, "asname", std::move(as));
  return place(node, start);
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
  Node node = open(kind, 1);
  add(node, "names", std::move(names));
  return place(node, start);
}

}  // namespace tritonrl::syntax
