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
  return filled("arguments", "posonlyargs", std::move(early), "args", std::move(plain), "vararg", optional(rest),
                "kwonlyargs", std::move(named), "kw_defaults", std::move(named_defaults), "kwarg", optional(keywords),
                "defaults", std::move(defaults));
}

SyntaxNode* PythonParser::parameter(bool annotations, bool star_annotation) {
  const Index start = at_;
  std::string called = name("a parameter");
  Node annotation = nullptr;
  if (annotations && take(Token::kColon)) annotation = star_annotation ? star_expression() : expression();
  return place(filled("arg", "arg", std::move(called), "annotation", optional(annotation), "type_comment", NoneValue{}),
               start);
}

}  // namespace tritonrl::syntax
