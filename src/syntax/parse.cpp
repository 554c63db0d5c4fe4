#include "syntax/parse.h"

#include "base/check.h"
#include "syntax/parse_state.h"
#include "syntax/parse_text.h"

namespace tritonrl::syntax {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // places are 32-bit numbers

BareNodes make_bare_nodes() {
  const auto node = [](std::string_view kind) { return SyntaxArena::bare(kind); };
  BareNodes out = {};
  out.load = node("Load");
  out.store = node("Store");
  out.del = node("Del");
  out.logical_and = node("And");
  out.logical_or = node("Or");
  out.negate = node("Not");
  out.usub = node("USub");
  out.uadd = node("UAdd");
  out.invert = node("Invert");
  out.is = node("Is");
  out.is_not = node("IsNot");
  out.in = node("In");
  out.not_in = node("NotIn");
  const auto both = [&](Token plain, Token assigned, std::string_view kind) {
    out.by_token[static_cast<std::size_t>(plain)] = out.by_token[static_cast<std::size_t>(assigned)] = node(kind);
  };
  static_assert(static_cast<std::size_t>(Token::kDoubleStarAssign) < std::size(BareNodes{}.by_token));
  both(Token::kPlus, Token::kPlusAssign, "Add");
  both(Token::kMinus, Token::kMinusAssign, "Sub");
  both(Token::kStar, Token::kStarAssign, "Mult");
  both(Token::kSlash, Token::kSlashAssign, "Div");
  both(Token::kDoubleSlash, Token::kDoubleSlashAssign, "FloorDiv");
  both(Token::kPercent, Token::kPercentAssign, "Mod");
  both(Token::kAt, Token::kAtAssign, "MatMult");
  both(Token::kBar, Token::kBarAssign, "BitOr");
  both(Token::kCaret, Token::kCaretAssign, "BitXor");
  both(Token::kAmpersand, Token::kAmpersandAssign, "BitAnd");
  both(Token::kShiftLeft, Token::kShiftLeftAssign, "LShift");
  both(Token::kShiftRight, Token::kShiftRightAssign, "RShift");
  both(Token::kDoubleStar, Token::kDoubleStarAssign, "Pow");
  both(Token::kEqual, Token::kEqual, "Eq");
  both(Token::kNotEqual, Token::kNotEqual, "NotEq");
  both(Token::kLess, Token::kLess, "Lt");
  both(Token::kLessEqual, Token::kLessEqual, "LtE");
  both(Token::kGreater, Token::kGreater, "Gt");
  both(Token::kGreaterEqual, Token::kGreaterEqual, "GtE");
  return out;
}

}  // namespace

const BareNodes& bare_nodes() {
  static const BareNodes nodes = make_bare_nodes();
  return nodes;
}

Parsed parse(std::string_view text, SyntaxArena& arena) {
  Parsed out;
  if (text.size() > kMostBytes) {
    out.error = "a text of more than 64 MiB";
    return out;
  }
  try {
    check_text(text);
    std::string translated;
    if (text.find('\r') != std::string_view::npos) text = translated = with_plain_newlines(text);
    out.module = PythonParser(text, arena).module();
  } catch (const SyntaxFailure& failure) {
    out.error = failure.message;
    out.line = failure.line;
  }
  return out;
}

PythonParser::PythonParser(std::string_view text, SyntaxArena& arena)
    : text_(text), arena_(arena), bare_(bare_nodes()) {
  tokens_.reserve(text.size() / 3 + 16);
  stack_.reserve(256);
  lex_python(text, tokens_);
}

const SyntaxNode* PythonParser::module() {
  while (!at(Token::kEnd)) statement();
  Node node = open("Module", 2);
  add(node, "body", collected(0));
  add(node, "type_ignores", Nodes());
  return node;
}

void PythonParser::expect(Token type, std::string_view what) {
  if (!take(type)) fail(what);
}

std::string_view PythonParser::word(Index token) const {
  return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

std::string PythonParser::name(std::string_view what) {
  const Index token = at_;
  expect(Token::kName, what);
  return std::string(word(token));
}

void PythonParser::fail(std::string_view expected) const {
  std::string met;
  switch (type()) {
    case Token::kEnd:
      met = "the end";
      break;
    case Token::kNewline:
      met = "the end of the line";
      break;
    case Token::kIndent:
      met = "an indented line";
      break;
    case Token::kDedent:
      met = "the end of a block";
      break;
    default:
      met = "'" + std::string(word(at_).substr(0, 40)) + "'";
  }
  throw SyntaxFailure{met + " where " + std::string(expected) + " should stand", tokens_[at_].line};
}

SyntaxNode* PythonParser::open(std::string_view kind, std::size_t fields) {
  SyntaxNode& node = arena_.make(kind);
  node.fields.reserve(fields);
  return &node;
}

SyntaxNode* PythonParser::place(Node node, Index start, Index end) {
  node->line = tokens_[start].line;
  node->column = tokens_[start].column;
  node->end_line = tokens_[end].end_line;
  node->end_column = tokens_[end].end_column;
  return node;
}

SyntaxValue PythonParser::optional(Node node) {
  if (node == nullptr) return NoneValue{};
  return static_cast<const SyntaxNode*>(node);
}

PythonParser::Nodes PythonParser::collected(std::size_t base) {
  Nodes out(stack_.begin() + static_cast<std::ptrdiff_t>(base), stack_.end());
  stack_.resize(base);
  return out;
}

}  // namespace tritonrl::syntax
