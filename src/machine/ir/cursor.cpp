#include "machine/ir/cursor.h"

#include <charconv>

namespace tritonrl::machine {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool in_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.';
}

int hex_value(char c) {
  return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

}  // namespace

void IrCursor::skip_space() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++offset_;
    } else if (c == '/' && offset_ + 1 < text_.size() && text_[offset_ + 1] == '/') {
      const std::size_t end = text_.find('\n', offset_);
      offset_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

char IrCursor::peek() {
  skip_space();
  return offset_ < text_.size() ? text_[offset_] : '\0';
}

bool IrCursor::accept(std::string_view punctuation) {
  skip_space();
  if (text_.substr(offset_, punctuation.size()) != punctuation) return false;
  offset_ += punctuation.size();
  return true;
}

void IrCursor::expect(std::string_view punctuation) {
  if (!accept(punctuation)) fail("expected '" + std::string(punctuation) + "'");
}

std::string_view IrCursor::peek_word() {
  skip_space();
  std::size_t end = offset_;
  if (end < text_.size() && (is_letter(text_[end]) || text_[end] == '_')) {
    while (end < text_.size() && in_word(text_[end])) ++end;
  }
  return text_.substr(offset_, end - offset_);
}

std::string_view IrCursor::word() {
  const std::string_view found = peek_word();
  if (found.empty()) fail("expected a word");
  offset_ += found.size();
  return found;
}

bool IrCursor::accept_word(std::string_view expected) {
  if (peek_word() != expected) return false;
  offset_ += expected.size();
  return true;
}

std::string_view IrCursor::suffix() {
  std::size_t end = offset_;
  if (end < text_.size() && is_digit(text_[end])) {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  } else {
    while (end < text_.size() && (in_word(text_[end]) || text_[end] == '-')) ++end;
  }
  if (end == offset_) fail("expected a name");
  const std::string_view found = text_.substr(offset_, end - offset_);
  offset_ = end;
  return found;
}

std::string IrCursor::string() {
  skip_space();
  if (offset_ >= text_.size() || text_[offset_] != '"') fail("expected a string");
  const std::size_t start = offset_;
  skip_string();
  const std::string_view raw = text_.substr(start + 1, offset_ - start - 2);
  std::string value;
  value.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 >= raw.size()) {
      value.push_back(raw[i]);
    } else if (i + 2 < raw.size() && is_hex(raw[i + 1]) && is_hex(raw[i + 2])) {
      value.push_back(static_cast<char>(hex_value(raw[i + 1]) * 16 + hex_value(raw[i + 2])));
      i += 2;
    } else {
      ++i;
      value.push_back(raw[i] == 'n' ? '\n' : raw[i] == 't' ? '\t' : raw[i]);
    }
  }
  return value;
}

bool IrCursor::at_number() {
  const char c = peek();
  return is_digit(c) || (c == '-' && offset_ + 1 < text_.size() && is_digit(text_[offset_ + 1]));
}

IrNumber IrCursor::number() {
  if (!at_number()) fail("expected a number");
  IrNumber number;
  number.negative = text_[offset_] == '-';
  if (number.negative) ++offset_;
  std::size_t end = offset_;
  if (text_.substr(offset_, 2) == "0x" && offset_ + 2 < text_.size() && is_hex(text_[offset_ + 2])) {
    number.hex = true;
    offset_ += 2;
    end = offset_;
    while (end < text_.size() && is_hex(text_[end])) ++end;
  } else {
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end < text_.size() && text_[end] == '.') {
      number.point = true;
      ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      std::size_t exponent = end;
      if (exponent < text_.size() && (text_[exponent] == 'e' || text_[exponent] == 'E')) {
        ++exponent;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
        if (exponent < text_.size() && is_digit(text_[exponent])) {
          while (exponent < text_.size() && is_digit(text_[exponent])) ++exponent;
          end = exponent;
        }
      }
    }
  }
  number.text = text_.substr(offset_, end - offset_);
  offset_ = end;
  return number;
}

std::int64_t IrCursor::integer() {
  const std::size_t start = offset_;
  const IrNumber found = number();
  std::uint64_t bits = 0;
  if (!to_bits(found, bits)) throw IrError{start, "expected an integer of 64 bits"};
  return static_cast<std::int64_t>(bits);
}

void IrCursor::skip_string() {
  const std::size_t start = offset_;
  for (++offset_; offset_ < text_.size() && text_[offset_] != '"' && text_[offset_] != '\n'; ++offset_) {
    if (text_[offset_] == '\\') ++offset_;
  }
  if (offset_ >= text_.size() || text_[offset_] != '"') throw IrError{start, "a string without an end"};
  ++offset_;
}

void IrCursor::skip_balanced() {
  skip_space();
  const std::size_t start = offset_;
  int depth = 0;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == '"') {
      skip_string();
      continue;
    }
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    const bool arrow = c == '>' && offset_ > 0 && text_[offset_ - 1] == '-';
    if ((c == '>' && !arrow) || c == ')' || c == ']' || c == '}') --depth;
    ++offset_;
    if (depth <= 0) return;
  }
  throw IrError{start, "a bracket that is not closed"};
}

void IrCursor::skip_statement() {
  const std::size_t start = offset_;
  int depth = 0;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == '"') {
      skip_string();
      continue;
    }
    if (c == '\n' && depth == 0) return;
    if (c == '/' && text_.substr(offset_, 2) == "//") {
      const std::size_t end = text_.find('\n', offset_);
      offset_ = end == std::string_view::npos ? text_.size() : end;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return;  // it closes what the statement stands in
      --depth;
    }
    ++offset_;
  }
  if (depth != 0) throw IrError{start, "a bracket that is not closed"};
}

bool to_bits(const IrNumber& number, std::uint64_t& bits) {
  if (number.point) return false;
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, error] = std::from_chars(number.text.data(), end, bits, number.hex ? 16 : 10);
  if (error != std::errc() || stop != end) return false;
  if (!number.negative) return true;
  if (bits > std::uint64_t{1} << 63) return false;
  bits = std::uint64_t{0} - bits;
  return true;
}

}  // namespace tritonrl::machine
