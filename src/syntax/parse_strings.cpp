#include "syntax/parse_escapes.h"
#include "syntax/parse_state.h"
#include "syntax/unparse_literals.h"

namespace tritonrl::syntax {
namespace {

constexpr int kMostLevels = 2;  // an expression in the format of another one, and no deeper

}  // namespace

// Strings that stand side by side, becoming one.
struct PythonParser::JoinedText {
  Index first = 0, last = 0;  // what its nodes are placed by
  Index token = 0;            // the one that is being read
  SyntaxValue kind;
  std::string literal;  // since the last value in braces
  Nodes parts;
  bool bytes = false, formatted = false;
};

SyntaxNode* PythonParser::strings() {
  JoinedText joined;
  joined.first = at_;
  while (at(Token::kString)) advance();
  joined.last = last_;
  if (word(joined.first)[0] == 'u') joined.kind = std::string("u");
  for (Index token = joined.first; token <= joined.last; ++token) string_part(token, joined);
  if (joined.bytes) {
    std::string text;
    append_bytes_repr(joined.literal, text);
    return place(constant(OtherConstant{"bytes", arena_.keep(std::move(text))}), joined.first);
  }
  if (!joined.formatted) {
    Node node = constant(std::move(joined.literal));
    node->fields[1].second = std::move(joined.kind);
    return place(node, joined.first, joined.last);
  }
  flush(joined);
  return place(filled("JoinedStr", "values", std::move(joined.parts)), joined.first, joined.last);
}

void PythonParser::string_part(Index token, JoinedText& joined) {
  const std::string_view text = word(token);
  bool raw = false, bytes = false, formatted = false;
  std::size_t quote = 0;
  for (; text[quote] != '\'' && text[quote] != '"'; ++quote) {
    const char letter = static_cast<char>(text[quote] | 0x20);
    raw |= letter == 'r', bytes |= letter == 'b', formatted |= letter == 'f';
  }
  const std::size_t width =
      text.size() >= quote + 6 && text[quote + 1] == text[quote] && text[quote + 2] == text[quote] ? 3 : 1;
  if (token == joined.first) joined.bytes = bytes;
  if (bytes != joined.bytes) fail("bytes and texts apart");
  joined.token = token;
  std::size_t begin = tokens_[token].begin + quote + width;
  const std::size_t end = tokens_[token].end - width;
  if (formatted) {
    joined.formatted = true;
    joined_text(joined, begin, end, raw, 0);
    return;
  }
  const std::string_view inside = text_.substr(begin, end - begin);
  if (bytes) {
    for (const char c : inside) {
      if (static_cast<unsigned char>(c) >= 0x80) fail("ASCII in the bytes before it");
    }
  }
  if (!decode_literal(inside, raw, bytes, joined.literal)) fail("other escapes in the string before it");
}

void PythonParser::flush(JoinedText& joined) {
  if (joined.literal.empty()) return;
  Node node = constant(std::move(joined.literal));
  node->fields[1].second = joined.kind;
  joined.literal.clear();
  joined.parts.push_back(place(node, joined.first, joined.last));
}

// The inside of an f-string, or of a format in it, which ends at its brace.
void PythonParser::joined_text(JoinedText& joined, std::size_t& at, std::size_t end, bool raw, int level) {
  while (at < end) {
    const std::size_t begin = at;
    std::size_t stop = at;  // of the literal
    bool doubled = false;
    while (at < end) {
      char c = text_[at++];
      if (!raw && c == '\\' && at < end) {
        c = text_[at++];
        if (c == 'N') fail("other escapes in the string before it");
        if (c != '{' && c != '}') {
          stop = at;
          continue;
        }
        stop = at - 1;
      }
      if (c == '{' || c == '}') {
        if (level == 0 && at < end && text_[at] == c) {
          stop = at++;
          doubled = true;
          break;
        }
        if (level == 0 && c == '}') fail("a brace that was opened in the string before it");
        --at;
        break;
      }
      stop = at;
    }
    if (!decode_literal(text_.substr(begin, stop - begin), raw, /*bytes=*/false, joined.literal))
      fail("other escapes in the string before it");
    if (doubled) continue;
    if (at >= end || text_[at] == '}') return;
    joined_value(joined, at, end, raw, level);
  }
}

// From its brace to behind the closing one.
void PythonParser::joined_value(JoinedText& joined, std::size_t& at, std::size_t end, bool raw, int level) {
  constexpr std::string_view kBroken = "an f-string with values in closed braces before it";
  if (level >= kMostLevels) fail(kBroken);
  const std::size_t brace = at++;
  std::string closing;  // of the brackets that are open
  for (; at < end; ++at) {
    const char c = text_[at];
    if (c == '\\' || c == '#') fail(kBroken);
    if (c == '\'' || c == '"') {
      const bool triple = at + 2 < end && text_[at + 1] == c && text_[at + 2] == c;
      const std::string quote(triple ? 3 : 1, c);
      const std::size_t found = text_.substr(0, end).find(quote, at + quote.size());
      if (found == std::string_view::npos || text_.substr(at, found - at).find('\\') != std::string_view::npos)
        fail(kBroken);
      at = found + quote.size() - 1;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      closing += c == '(' ? ')' : c == '[' ? ']' : '}';
      continue;
    }
    if (closing.empty() && std::string_view("!:}=<>").find(c) != std::string_view::npos) {
      const bool equal = at + 1 < end && text_[at + 1] == '=';
      if (equal && (c == '!' || c == '=' || c == '<' || c == '>')) {
        ++at;
        continue;
      }
      if (c == '<' || c == '>') continue;
      break;
    }
    if (c == ')' || c == ']' || c == '}') {
      if (closing.empty() || closing.back() != c) fail(kBroken);
      closing.pop_back();
    }
  }
  if (at >= end || !closing.empty()) fail(kBroken);
  Node value = embedded_expression(brace, at, joined);
  bool shown = false;
  if (text_[at] == '=') {
    shown = true;
    ++at;
    while (at < end && std::string_view(" \t\n\f\v").find(text_[at]) != std::string_view::npos) ++at;
    joined.literal += text_.substr(brace + 1, at - brace - 1);
  }
  std::int64_t conversion = -1;
  if (at < end && text_[at] == '!') {
    ++at;
    if (at >= end || std::string_view("sra").find(text_[at]) == std::string_view::npos) fail(kBroken);
    conversion = text_[at++];
  }
  flush(joined);
  Node format = nullptr;
  if (at < end && text_[at] == ':') {
    ++at;
    JoinedText inner;
    inner.first = joined.first;
    inner.last = joined.last;
    inner.token = joined.token;
    inner.kind = joined.kind;
    joined_text(inner, at, end, raw, level + 1);
    // Python places a format, and what ends it, where the string stands that holds it, not where all of them stand.
    inner.first = inner.last = inner.token;
    inner.kind = NoneValue{};
    flush(inner);
    format = open("JoinedStr", 1);
    add(format, "values", std::move(inner.parts));
    place(format, inner.first, inner.last);
  }
  if (at >= end || text_[at] != '}') fail(kBroken);
  ++at;
  if (shown && conversion == -1 && format == nullptr) conversion = 'r';
  Node node = open("FormattedValue", 3);
  add(node, "value", value);
  add(node, "conversion", conversion);
  add(node, "format_spec", optional(format));
  joined.parts.push_back(place(node, joined.first, joined.last));
}

// What stands between a brace and `end`, as if between parentheses that stand there.
SyntaxNode* PythonParser::embedded_expression(std::size_t brace, std::size_t end, const JoinedText& joined) {
  const PlacedToken& string = tokens_[joined.token];
  int line = string.line;
  std::size_t line_begin = string.begin - static_cast<std::size_t>(string.column);
  for (std::size_t i = string.begin; i < brace; ++i) {
    if (text_[i] != '\n') continue;
    ++line;
    line_begin = i + 1;
  }
  const Index outer_at = at_, outer_last = last_, begin = tokens_.size();
  PlacedToken bracket;
  bracket.type = Token::kOpenRound;
  bracket.begin = static_cast<std::uint32_t>(brace);
  bracket.end = bracket.begin + 1;
  bracket.line = bracket.end_line = line;
  bracket.column = static_cast<int>(brace - line_begin);
  bracket.end_column = bracket.column + 1;
  tokens_.push_back(bracket);
  lex_embedded(text_, static_cast<std::uint32_t>(brace + 1), static_cast<std::uint32_t>(end), line,
               static_cast<std::uint32_t>(line_begin), tokens_);
  for (std::size_t i = brace; i < end; ++i) {
    if (text_[i] != '\n') continue;
    ++line;
    line_begin = i + 1;
  }
  bracket.type = Token::kCloseRound;
  bracket.begin = static_cast<std::uint32_t>(end);
  bracket.end = bracket.begin + 1;
  bracket.line = bracket.end_line = line;
  bracket.column = static_cast<int>(end - line_begin);
  bracket.end_column = bracket.column + 1;
  const bool empty = tokens_.size() == begin + 1;
  tokens_.push_back(bracket);
  bracket.type = Token::kEnd;
  tokens_.push_back(bracket);
  at_ = begin;
  if (empty) fail("a value in the braces");
  const Deeper deeper(*this);
  Node value = star_expressions();
  if (!at(Token::kEnd)) fail("the end of the value in braces");
  tokens_.resize(begin);
  at_ = outer_at;
  last_ = outer_last;
  return value;
}

}  // namespace tritonrl::syntax
