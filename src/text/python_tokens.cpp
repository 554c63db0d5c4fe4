#include "text/python_tokens.h"

#include <algorithm>

#include "text/chars.h"

namespace tritonrl::text {
namespace {

using TokenKind = PythonToken::Kind;

bool is_quote(char c) {
  return c == '"' || c == '\'';
}

// The letters before a quote: r"", b'', f"", Rb"".
bool is_string_prefix(std::string_view word) {
  return word.size() <= 2 && word.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
}

// `rest` begins with a quote. A plain string that is not closed ends with its line, a triple one with the text.
std::size_t string_length(std::string_view rest) {
  const char quote = rest[0];
  const bool triple = rest.size() > 2 && rest[1] == quote && rest[2] == quote;
  for (std::size_t at = triple ? 3 : 1; at < rest.size(); ++at) {
    if (rest[at] == '\\') {
      ++at;
    } else if (rest[at] == '\n' && !triple) {
      return at;
    } else if (rest[at] == quote && (!triple || rest.substr(at, 3) == rest.substr(0, 3))) {
      return at + (triple ? 3 : 1);
    }
  }
  return rest.size();
}

std::size_t number_length(std::string_view rest) {
  const bool hexadecimal = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
  std::size_t n = 1;
  for (; n < rest.size(); ++n) {
    const bool exponent_sign =
        (rest[n] == '+' || rest[n] == '-') && (rest[n - 1] == 'e' || rest[n - 1] == 'E') && !hexadecimal;
    if (!is_word(rest[n]) && rest[n] != '.' && !exponent_sign) break;
  }
  return n;
}

std::size_t symbol_length(std::string_view rest) {
  const char first = rest[0], second = rest.size() > 1 ? rest[1] : '\0', third = rest.size() > 2 ? rest[2] : '\0';
  const bool doubled = second == first && (first == '*' || first == '/' || first == '<' || first == '>');
  if (doubled) return third == '=' ? 3 : 2;
  if (first == '.') return second == '.' && third == '.' ? 3 : 1;
  if (first == '-' && second == '>') return 2;
  constexpr std::string_view kBeforeEquals = "=!<>+-*/%@&|^:";
  return second == '=' && kBeforeEquals.find(first) != std::string_view::npos ? 2 : 1;
}

PythonToken token_at(std::string_view rest) {
  if (is_quote(rest[0])) return {TokenKind::kString, rest.substr(0, string_length(rest))};
  if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1])))
    return {TokenKind::kNumber, rest.substr(0, number_length(rest))};
  if (!is_word(rest[0])) return {TokenKind::kSymbol, rest.substr(0, symbol_length(rest))};
  std::size_t length = 1;
  while (length < rest.size() && is_word(rest[length])) ++length;
  if (length < rest.size() && is_quote(rest[length]) && is_string_prefix(rest.substr(0, length)))
    return {TokenKind::kString, rest.substr(0, length + string_length(rest.substr(length)))};
  return {TokenKind::kName, rest.substr(0, length)};
}

}  // namespace

std::vector<PythonToken> python_tokens(std::string_view code) {
  std::vector<PythonToken> tokens;
  tokens.reserve(code.size() / 4);
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\\') {
      ++at;
    } else if (c == '#') {
      at = std::min(code.find('\n', at), code.size());
    } else {
      tokens.push_back(token_at(code.substr(at)));
      at += tokens.back().text.size();
    }
  }
  return tokens;
}

}  // namespace tritonrl::text
