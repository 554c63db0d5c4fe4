#include <charconv>
#include <limits>

#include "syntax/parse_state.h"
#include "syntax/unparse_literals.h"

namespace tritonrl::syntax {
namespace {

constexpr std::size_t kMostDigits = 4'300;  // of decimal integers, as in Python

// A decimal literal without underscores; one beyond the range of doubles is infinite or zero, as in Python.
double real_of(std::string_view digits) {
  double value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc::result_out_of_range)
    return value;
  const std::size_t e = digits.find_first_of("eE");
  if (e != std::string_view::npos && e + 1 < digits.size() && digits[e + 1] == '-') return 0;
  const std::string_view mantissa = digits.substr(0, e);
  const bool tiny = e == std::string_view::npos && mantissa.find_first_not_of("0.") > mantissa.find('.');
  return tiny ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace

SyntaxNode* PythonParser::constant(SyntaxValue value) {
  return filled("Constant", "value", std::move(value), "kind", NoneValue{});
}

SyntaxNode* PythonParser::atom() {
  const Index start = at_;
  switch (type()) {
    case Token::kName: {
      advance();
      return place(filled("Name", "id", std::string(word(start)), "ctx", bare_.load), start);
    }
    case Token::kNumber:
      return number();
    case Token::kString:
      return strings();
    case Token::kOpenRound:
      return round_atom();
    case Token::kOpenSquare:
      return square_atom();
    case Token::kOpenCurly:
      return curly_atom();
    case Token::kTrue:
    case Token::kFalse:
      advance();
      return place(constant(tokens_[start].type == Token::kTrue), start);
    case Token::kNone:
      advance();
      return place(constant(NoneValue{}), start);
    case Token::kEllipsis:
      advance();
      return place(constant(OtherConstant{"ellipsis", "..."}), start);
    default:
      fail("an expression");
  }
}

// A tuple, a generator, or an expression in parentheses, which leave no trace.
SyntaxNode* PythonParser::round_atom() {
  const Index start = at_;
  advance();
  const std::size_t base = stack_.size();
  if (at(Token::kYield)) {
    Node inner = yield_expression();
    expect(Token::kCloseRound, "')'");
    return inner;
  }
  if (!at(Token::kCloseRound)) {
    const bool star = at(Token::kStar);
    Node first = star_named_expression();
    if (!star && at_comprehension()) {
      Node node = open("GeneratorExp", 2);
      add(node, "elt", first);
      add(node, "generators", comprehension_clauses());
      expect(Token::kCloseRound, "')'");
      return place(node, start);
    }
    if (!star && take(Token::kCloseRound)) return first;
    stack_.push_back(first);
    if (!at(Token::kComma)) fail("',' or ')'");
    while (take(Token::kComma)) {
      if (at(Token::kCloseRound)) break;
      Node next = star_named_expression();
      stack_.push_back(next);
    }
  }
  expect(Token::kCloseRound, "',' or ')'");
  return place(filled("Tuple", "elts", collected(base), "ctx", bare_.load), start);
}

SyntaxNode* PythonParser::square_atom() {
  const Index start = at_;
  advance();
  const std::size_t base = stack_.size();
  while (!at(Token::kCloseSquare)) {
    const bool star = at(Token::kStar);
    Node item = star_named_expression();
    if (!star && stack_.size() == base && at_comprehension()) {
      Node node = open("ListComp", 2);
      add(node, "elt", item);
      add(node, "generators", comprehension_clauses());
      expect(Token::kCloseSquare, "']'");
      return place(node, start);
    }
    stack_.push_back(item);
    if (!take(Token::kComma)) break;
  }
  expect(Token::kCloseSquare, "',' or ']'");
  return place(filled("List", "elts", collected(base), "ctx", bare_.load), start);
}

// A dictionary, a set, or a comprehension of either: the first item tells.
SyntaxNode* PythonParser::curly_atom() {
  const Index start = at_;
  advance();
  const std::size_t base = stack_.size();
  Nodes keys;
  bool first = true, pairs = true;
  while (!at(Token::kCloseCurly)) {
    Node key = nullptr, value = nullptr;
    const bool star = at(Token::kStar), spread = at(Token::kDoubleStar);
    if (spread) {
      advance();
      value = bitwise_or();
    } else if (star) {
      value = star_named_expression();
    } else {
      const bool named = at(Token::kName) && type(1) == Token::kWalrus;
      value = named_expression();
      if (!named && take(Token::kColon)) {
        key = value;
        value = expression();
      }
    }
    const bool pair = spread || key != nullptr;
    if (first) pairs = pair;
    if (pair != pairs) fail("an item as the first one is");
    if (first && !star && !spread && at_comprehension()) {
      Node node = open(pairs ? "DictComp" : "SetComp", 3);
      if (pairs) add(node, "key", key);
      add(node, pairs ? "value" : "elt", value);
      add(node, "generators", comprehension_clauses());
      expect(Token::kCloseCurly, "'}'");
      return place(node, start);
    }
    first = false;
    if (pairs) keys.push_back(key);
    stack_.push_back(value);
    if (!take(Token::kComma)) break;
  }
  expect(Token::kCloseCurly, "',' or '}'");
  Node node = open(pairs ? "Dict" : "Set", 2);
  if (pairs) {
    add(node, "keys", std::move(keys));
    add(node, "values", collected(base));
  } else {
    add(node, "elts", collected(base));
  }
  return place(node, start);
}

SyntaxNode* PythonParser::number() {
  const Index start = at_;
  advance();
  std::string plain;
  std::string_view digits = word(start);
  if (digits.find('_') != std::string_view::npos) {
    for (const char c : digits) {
      if (c != '_') plain += c;
    }
    digits = plain;
  }
  unsigned base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  }
  if (base != 10) {
    digits.remove_prefix(2);
  } else if (digits.back() == 'j' || digits.back() == 'J') {
    std::string text;
    append_imaginary(real_of(digits.substr(0, digits.size() - 1)), text);
    return place(constant(OtherConstant{"complex", arena_.keep(std::move(text))}), start);
  } else if (digits.find_first_of(".eE") != std::string_view::npos) {
    return place(constant(real_of(digits)), start);
  }
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, static_cast<int>(base));
  if (read.ec == std::errc()) return place(constant(value), start);
  if (digits.size() > kMostDigits) fail("a shorter number before it");
  return place(constant(OtherConstant{"int", arena_.keep(decimal_from_digits(digits, base))}), start);
}

}  // namespace tritonrl::syntax
