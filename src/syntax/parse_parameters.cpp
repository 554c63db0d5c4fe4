#include "syntax/parse_state.h"

namespace tritonrl::syntax {

SyntaxNode* PythonParser::parameters(Token close, bool annotations) {
  Nodes early, plain, defaults, named, named_defaults;
  Node rest = nullptr, keywords = nullptr;
  bool star = false, bare_star = false, slash = false;
  while (!at(close)) {
    if (keywords != nullptr) fail("no parameter behind '**'");
    if (at(Token::kSlash)) {
      if (star || slash || plain.empty()) fail("a parameter");
      advance();
      slash = true;
      early.swap(plain);
    } else if (at(Token::kStar)) {
      if (star) fail("a parameter");
      advance();
      star = true;
      bare_star = at(Token::kComma);
      if (!bare_star) rest = parameter(annotations, /*star_annotation=*/true);
    } else if (at(Token::kDoubleStar)) {
      if (bare_star && named.empty()) fail("a parameter behind '*'");
      advance();
      keywords = parameter(annotations, /*star_annotation=*/false);
    } else {
      Node next = parameter(annotations, /*star_annotation=*/false);
      Node value = take(Token::kAssign) ? expression() : nullptr;
      (star ? named : plain).push_back(next);
      if (star) {
        named_defaults.push_back(value);
      } else if (value != nullptr) {
        defaults.push_back(value);
      } else if (!defaults.empty()) {
        fail("a default of the parameter before");
      }
    }
    if (at(close)) break;
    expect(Token::kComma, "','");
  }
  if (bare_star && named.empty()) fail("a parameter behind '*'");
  Node node = open("arguments", 7);
  add(node, "posonlyargs", std::move(early));
  add(node, "args", std::move(plain));
  add(node, "vararg", optional(rest));
  add(node, "kwonlyargs", std::move(named));
  add(node, "kw_defaults", std::move(named_defaults));
  add(node, "kwarg", optional(keywords));
  add(node, "defaults", std::move(defaults));
  return node;
}

SyntaxNode* PythonParser::parameter(bool annotations, bool star_annotation) {
  const Index start = at_;
  std::string called = name("a parameter");
  Node annotation = nullptr;
  if (annotations && take(Token::kColon)) annotation = star_annotation ? star_expression() : expression();
  Node node = open("arg", 3);
  add(node, "arg", std::move(called));
  add(node, "annotation", optional(annotation));
  add(node, "type_comment", NoneValue{});
  return place(node, start);
}

}  // namespace tritonrl::syntax
