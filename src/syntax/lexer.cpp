#include "syntax/lexer.h"

#include <array>
#include <utility>

#include "syntax/lexer_words.h"

namespace tritonrl::syntax {
namespace {

constexpr std::size_t kMostIndents = 100;  // as in Python
constexpr int kMostBrackets = 200;         // as in Python

enum Class : std::uint8_t { kOther = 0, kLetter = 1, kDigit = 2 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> out{};
  for (int c = 'a'; c <= 'z'; ++c) out[static_cast<std::size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) out[static_cast<std::size_t>(c)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) out[static_cast<std::size_t>(c)] = kDigit;
  out['_'] = kLetter;
  return out;
}();

std::uint8_t class_of(char c) {
  return kClasses[static_cast<unsigned char>(c)];
}

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<PlacedToken>& out) : text_(text), end_(text.size()), out_(out) {}

  void whole() {
    while (at_ < end_) {
      if (at_line_start_ && brackets_ == 0 && !begin_line()) continue;
      at_line_start_ = false;
      token();
    }
    if (brackets_ > 0) fail("a bracket that is closed");
    if (!out_.empty() && out_.back().type != Token::kNewline && out_.back().type != Token::kDedent)
      mark(Token::kNewline);
    for (std::size_t i = 1; i < indents_.size(); ++i) mark(Token::kDedent);
    mark(Token::kEnd);
  }

  void embedded(std::uint32_t begin, std::uint32_t end, int line, std::uint32_t line_begin) {
    at_ = begin;
    end_ = end;
    line_ = line;
    line_begin_ = line_begin;
    brackets_ = 1;
    while (at_ < end_) token();
    if (brackets_ != 1) fail("a bracket that is closed");
  }

 private:
  [[noreturn]] void fail(std::string expected) const {
    std::string met = at_ >= end_ ? "the end" : std::string("'") + text_[at_] + "'";
    if (at_ < end_ && (static_cast<unsigned char>(text_[at_]) < 0x20 || static_cast<unsigned char>(text_[at_]) >= 0x7f))
      met = "the byte " + std::to_string(static_cast<unsigned char>(text_[at_]));
    throw SyntaxFailure{met + " where " + std::move(expected) + " should stand", line_};
  }

  char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }

  void emit(Token type, std::size_t begin, int line, std::size_t line_begin) {
    PlacedToken& token = out_.emplace_back();
    token.type = type;
    token.begin = static_cast<std::uint32_t>(begin);
    token.end = static_cast<std::uint32_t>(at_);
    token.line = line;
    token.column = static_cast<int>(begin - line_begin);
    token.end_line = line_;
    token.end_column = static_cast<int>(at_ - line_begin_);
  }
  void mark(Token type) { emit(type, at_, line_, line_begin_); }

  void next_line() {
    ++line_;
    line_begin_ = at_;
  }

  // The white space at a line's begin. False: there is no statement on it.
  bool begin_line() {
    std::size_t column = 0, tabless = 0;  // with tabs of eight and of one: the order must be the same by both
    for (;; ++at_) {
      const char c = peek();
      if (c == ' ') {
        ++column, ++tabless;
      } else if (c == '\t') {
        column = (column / 8 + 1) * 8, ++tabless;
      } else if (c == '\f') {
        column = tabless = 0;
      } else {
        break;
      }
    }
    if (at_ >= end_) return false;
    if (text_[at_] == '#') {
      while (at_ < end_ && text_[at_] != '\n') ++at_;
      if (at_ >= end_) return false;
    }
    if (text_[at_] == '\n') {
      ++at_;
      next_line();
      return false;
    }
    if (text_[at_] == '\\') fail("a statement");
    indent(column, tabless);
    return true;
  }

  void indent(std::size_t column, std::size_t tabless) {
    if (column > indents_.back().first) {
      if (tabless <= indents_.back().second || indents_.size() >= kMostIndents) fail("consistent indentation");
      indents_.emplace_back(column, tabless);
      mark(Token::kIndent);
      return;
    }
    while (column < indents_.back().first) {
      indents_.pop_back();
      mark(Token::kDedent);
    }
    if (column != indents_.back().first || tabless != indents_.back().second) fail("consistent indentation");
  }

  void token() {
    const char c = text_[at_];
    switch (c) {
      case ' ':
      case '\t':
      case '\f':
        ++at_;
        return;
      case '#':
        while (at_ < end_ && text_[at_] != '\n') ++at_;
        return;
      case '\n':
        if (brackets_ == 0) {
          const std::size_t begin = at_++;
          emit(Token::kNewline, begin, line_, line_begin_);
          at_line_start_ = true;
        } else {
          ++at_;
        }
        return next_line();
      case '\\':
        ++at_;
        if (peek() != '\n' || at_ + 1 >= end_) fail("the line's end behind a backslash");
        ++at_;
        return next_line();
      case '\'':
      case '"':
        return string(at_);
      default:
        break;
    }
    if (class_of(c) == kLetter) return word();
    if (class_of(c) == kDigit || (c == '.' && class_of(peek(1)) == kDigit)) return number();
    sign();
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < end_ && class_of(text_[at_]) != kOther) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (at_ < end_) {
      if ((text_[at_] == '\'' || text_[at_] == '"') && is_prefix(word)) return string(begin);
      if (static_cast<unsigned char>(text_[at_]) >= 0x80) fail("a name of ASCII letters");
    }
    emit(word_token(word), begin, line_, line_begin_);
  }

  static bool is_prefix(std::string_view word) {
    if (word.size() > 2) return false;
    int r = 0, b = 0, f = 0, u = 0;
    for (const char c : word) {
      r += (c | 0x20) == 'r', b += (c | 0x20) == 'b', f += (c | 0x20) == 'f', u += (c | 0x20) == 'u';
    }
    if (r + b + f + u != static_cast<int>(word.size())) return false;
    return r <= 1 && b <= 1 && f <= 1 && b + f <= 1 && (u == 0 || word.size() == 1);
  }

  // From its prefix; `at_` is at the quote.
  void string(std::size_t begin) {
    const int line = line_;
    const std::size_t line_begin = line_begin_;
    const char quote = text_[at_];
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    for (;;) {
      if (at_ >= end_) fail("the end of a string");
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
        if (at_ >= end_) fail("the end of a string");
        if (text_[at_++] == '\n') next_line();
      } else if (c == '\n') {
        if (!triple) fail("the end of a string");
        ++at_;
        next_line();
      } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at_ += triple ? 3 : 1;
        break;
      } else {
        ++at_;
      }
    }
    emit(Token::kString, begin, line, line_begin);
  }

  template <class IsDigit>
  void digits(IsDigit is_digit) {
    if (!is_digit(peek())) fail("a digit");
    for (;;) {
      while (is_digit(peek())) ++at_;
      if (peek() != '_') return;
      ++at_;
      if (!is_digit(peek())) fail("a digit");
    }
  }

  void number() {
    const std::size_t begin = at_;
    const auto decimal = [](char c) { return c >= '0' && c <= '9'; };
    const char base = peek() == '0' ? static_cast<char>(peek(1) | 0x20) : '\0';
    if (base == 'x' || base == 'o' || base == 'b') {
      at_ += 2;
      if (peek() == '_') ++at_;
      digits([base](char c) {
        if (base == 'b') return c == '0' || c == '1';
        if (base == 'o') return c >= '0' && c <= '7';
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
      });
    } else {
      if (peek() != '.') digits(decimal);
      bool whole = true;
      if (peek() == '.') {
        whole = false;
        ++at_;
        if (decimal(peek())) digits(decimal);
      }
      if ((peek() | 0x20) == 'e' && (decimal(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && decimal(peek(2))))) {
        whole = false;
        at_ += decimal(peek(1)) ? 1 : 2;
        digits(decimal);
      }
      if ((peek() | 0x20) == 'j') {
        whole = false;
        ++at_;
      }
      if (whole && text_[begin] == '0' &&
          text_.substr(begin, at_ - begin).find_first_not_of("0_") != std::string_view::npos)
        fail("no zero before a number");
    }
    if (at_ < end_ && (class_of(text_[at_]) != kOther || static_cast<unsigned char>(text_[at_]) >= 0x80))
      fail("the end of a number");
    emit(Token::kNumber, begin, line_, line_begin_);
  }

  void sign() {
    const std::size_t begin = at_;
    const char second = peek(1), third = peek(2);
    const auto take = [&](Token type, std::size_t length) {
      at_ += length;
      emit(type, begin, line_, line_begin_);
    };
    // A sign that may be doubled, and each of the two with "=".
    const auto operation = [&](Token plain, Token assigned) {
      return second == '=' ? take(assigned, 2) : take(plain, 1);
    };
    switch (text_[at_]) {
      case '(':
        return open(Token::kOpenRound);
      case '[':
        return open(Token::kOpenSquare);
      case '{':
        return open(Token::kOpenCurly);
      case ')':
        return close(Token::kCloseRound);
      case ']':
        return close(Token::kCloseSquare);
      case '}':
        return close(Token::kCloseCurly);
      case ':':
        return operation(Token::kColon, Token::kWalrus);
      case ',':
        return take(Token::kComma, 1);
      case ';':
        return take(Token::kSemicolon, 1);
      case '~':
        return take(Token::kTilde, 1);
      case '.':
        return second == '.' && third == '.' ? take(Token::kEllipsis, 3) : take(Token::kDot, 1);
      case '=':
        return operation(Token::kAssign, Token::kEqual);
      case '!':
        if (second != '=') fail("an operator");
        return take(Token::kNotEqual, 2);
      case '+':
        return operation(Token::kPlus, Token::kPlusAssign);
      case '-':
        if (second == '>') return take(Token::kArrow, 2);
        return operation(Token::kMinus, Token::kMinusAssign);
      case '%':
        return operation(Token::kPercent, Token::kPercentAssign);
      case '@':
        return operation(Token::kAt, Token::kAtAssign);
      case '|':
        return operation(Token::kBar, Token::kBarAssign);
      case '^':
        return operation(Token::kCaret, Token::kCaretAssign);
      case '&':
        return operation(Token::kAmpersand, Token::kAmpersandAssign);
      case '*':
        if (second == '*') return third == '=' ? take(Token::kDoubleStarAssign, 3) : take(Token::kDoubleStar, 2);
        return operation(Token::kStar, Token::kStarAssign);
      case '/':
        if (second == '/') return third == '=' ? take(Token::kDoubleSlashAssign, 3) : take(Token::kDoubleSlash, 2);
        return operation(Token::kSlash, Token::kSlashAssign);
      case '<':
        if (second == '<') return third == '=' ? take(Token::kShiftLeftAssign, 3) : take(Token::kShiftLeft, 2);
        return operation(Token::kLess, Token::kLessEqual);
      case '>':
        if (second == '>') return third == '=' ? take(Token::kShiftRightAssign, 3) : take(Token::kShiftRight, 2);
        return operation(Token::kGreater, Token::kGreaterEqual);
      default:
        fail("a name, a number or an operator");
    }
  }

  void open(Token type) {
    if (++brackets_ > kMostBrackets) fail("fewer brackets");
    const std::size_t begin = at_++;
    emit(type, begin, line_, line_begin_);
  }
  void close(Token type) {
    if (brackets_-- == 0) fail("an open bracket before it");
    const std::size_t begin = at_++;
    emit(type, begin, line_, line_begin_);
  }

  const std::string_view text_;
  std::size_t at_ = 0, end_, line_begin_ = 0;
  int line_ = 1, brackets_ = 0;
  bool at_line_start_ = true;
  std::vector<std::pair<std::size_t, std::size_t>> indents_ = {{0, 0}};
  std::vector<PlacedToken>& out_;
};

}  // namespace

void lex_python(std::string_view text, std::vector<PlacedToken>& out) {
  Lexer(text, out).whole();
}

void lex_embedded(std::string_view text, std::uint32_t begin, std::uint32_t end, int line, std::uint32_t line_begin,
                  std::vector<PlacedToken>& out) {
  Lexer(text, out).embedded(begin, end, line, line_begin);
}

}  // namespace tritonrl::syntax
