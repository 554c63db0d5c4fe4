#include "data/rows/json_object.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "data/rows/json_string.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::data {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool object(RowBuilder& builder);
  bool value(int depth);
  void blanks() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
  }
  bool at_end() const { return at_ == text_.size(); }
  bool fail(std::string message) {
    error_ = {at_, std::move(message)};
    return false;
  }
  JsonError error() && { return std::move(error_); }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool expect(char byte, const char* what) {
    if (peek() != byte || at_end()) return fail(std::string("expected ") + what);
    ++at_;
    return true;
  }
  bool literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail("no JSON value begins here");
    at_ += word.size();
    return true;
  }

  bool string(JsonText* into, std::size_t limit);
  bool number(std::string_view& out);
  bool digits();
  bool member(std::string_view key, RowBuilder& builder);
  bool texts(std::string_view key, RowBuilder& builder);

  std::string_view text_;
  std::size_t at_ = 0;
  JsonError error_;
  JsonText key_, value_;
};

bool Parser::string(JsonText* into, std::size_t limit) {
  if (peek() != '"' || at_end()) return fail("expected a string");
  const JsonString found = read_json_string(text_.substr(at_), into, limit);
  at_ += found.length;
  return found.error == nullptr || fail(found.error);
}

bool Parser::digits() {
  const std::size_t before = at_;
  while (peek() >= '0' && peek() <= '9') ++at_;
  return at_ > before || fail("expected a digit");
}

bool Parser::number(std::string_view& out) {
  const std::size_t begin = at_;
  if (peek() == '-') ++at_;
  if (peek() == '0') {
    ++at_;
  } else if (!digits()) {
    return fail("no JSON value begins here");
  }
  if (peek() == '.') {
    ++at_;
    if (!digits()) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!digits()) return false;
  }
  out = text_.substr(begin, at_ - begin);
  return true;
}

// Any value, looked at but not kept.
bool Parser::value(int depth) {
  if (depth > kMaxJsonDepth) return fail("nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
  const char open = peek();
  if (open == '"') return string(nullptr, 0);
  if (open == 't') return literal("true");
  if (open == 'f') return literal("false");
  if (open == 'n') return literal("null");
  if (open != '{' && open != '[') {
    std::string_view ignored;
    return number(ignored);
  }
  const char close = open == '{' ? '}' : ']';
  ++at_;
  blanks();
  if (peek() == close) {
    ++at_;
    return true;
  }
  for (;;) {
    if (open == '{') {
      if (!string(nullptr, 0)) return false;
      blanks();
      if (!expect(':', "a colon")) return false;
      blanks();
    }
    if (!value(depth + 1)) return false;
    blanks();
    if (peek() == close) {
      ++at_;
      return true;
    }
    if (!expect(',', open == '{' ? "a comma or a closing brace" : "a comma or a closing bracket")) return false;
    blanks();
  }
}

Field number_of(std::string_view text) {
  std::int64_t integer = 0;
  const char* const end = text.data() + text.size();
  if (const auto [stop, status] = std::from_chars(text.data(), end, integer); stop == end && status == std::errc()) {
    return integer;
  }
  double real = 0;
  if (std::from_chars(text.data(), end, real).ec == std::errc::result_out_of_range) {
    real = std::strtod(std::string(text).c_str(), nullptr);  // knows beyond which end of the range it lies
  }
  return real;
}

// A list: of texts, or else of the wrong type.
bool Parser::texts(std::string_view key, RowBuilder& builder) {
  const std::size_t begin = at_;
  std::vector<std::string> found;
  bool lone_surrogate = false;
  std::size_t length = 0;
  ++at_;
  blanks();
  while (peek() == '"') {
    if (!string(&value_, builder.max_text_bytes())) return false;
    lone_surrogate = lone_surrogate || value_.lone_surrogate;
    length += value_.length;
    if (length <= builder.max_text_bytes()) found.push_back(value_.bytes);
    blanks();
    if (peek() != ',') break;
    ++at_;
    blanks();
    if (peek() == ']') return fail("expected a value");
  }
  if (peek() == ']') {
    ++at_;
    if (length > builder.max_text_bytes()) {
      builder.set_too_long(key, length);
    } else if (lone_surrogate) {
      builder.set_not_utf8(key);
    } else {
      builder.set_texts(key, std::move(found));
    }
    return true;
  }
  at_ = begin;
  if (!value(2)) return false;
  builder.set_wrong_type(key, "a list that holds other things than texts");
  return true;
}

bool Parser::member(std::string_view key, RowBuilder& builder) {
  switch (peek()) {
    case '"':
      if (!string(&value_, builder.max_text_bytes())) return false;
      if (value_.length > builder.max_text_bytes()) {
        builder.set_too_long(key, value_.length);
      } else if (value_.lone_surrogate) {
        builder.set_not_utf8(key);
      } else {
        builder.set_text(key, value_.bytes);
      }
      return true;
    case '{':
      if (!value(2)) return false;
      builder.set_wrong_type(key, "an object");
      return true;
    case '[':
      return texts(key, builder);
    case 'n':
      builder.set_null(key);
      return literal("null");
    case 't':
      builder.set_bool(key, true);
      return literal("true");
    case 'f':
      builder.set_bool(key, false);
      return literal("false");
    default: {
      std::string_view digits;
      if (!number(digits)) return false;
      const Field found = number_of(digits);
      if (std::holds_alternative<std::int64_t>(found)) {
        builder.set_integer(key, std::get<std::int64_t>(found));
      } else {
        builder.set_number(key, std::get<double>(found));
      }
      return true;
    }
  }
}

bool Parser::object(RowBuilder& builder) {
  if (!expect('{', "an object")) return false;
  blanks();
  if (peek() == '}') {
    ++at_;
    return true;
  }
  for (;;) {
    if (!string(&key_, text_.size())) return false;
    blanks();
    if (!expect(':', "a colon")) return false;
    blanks();
    const bool readable = !key_.lone_surrogate && text::is_valid_utf8(key_.bytes);
    if (!builder.wants(key_.bytes)) {
      if (!value(2)) return false;
    } else if (!readable) {
      if (!value(2)) return false;
      builder.set_not_utf8(key_.bytes);
    } else if (!member(key_.bytes, builder)) {
      return false;
    }
    blanks();
    if (peek() == '}') {
      ++at_;
      return true;
    }
    if (!expect(',', "a comma or a closing brace")) return false;
    blanks();
  }
}

}  // namespace

std::optional<JsonError> parse_json_object(std::string_view text, RowBuilder& builder) {
  Parser parser(text);
  if (parser.object(builder)) {
    parser.blanks();
    if (parser.at_end()) return std::nullopt;
    parser.fail("more text after the object");
  }
  builder.clear();
  return std::move(parser).error();
}

bool is_json_value(std::string_view text) {
  Parser parser(text);
  parser.blanks();
  if (!parser.value(1)) return false;
  parser.blanks();
  return parser.at_end();
}

}  // namespace tritonrl::data
