#include "data/rows/json_string.h"

#include <charconv>
#include <system_error>

#include "data/rows/string_stop.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::data {
namespace {

// What an escape of one letter stands for; zero if there is no such escape.
char short_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

// Four hexadecimal digits, or -1.
int code_unit(std::string_view text) {
  unsigned unit = 0;
  const std::string_view digits = text.substr(0, 4);
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return digits.size() == 4 && end == digits.data() + 4 && status == std::errc() ? static_cast<int>(unit) : -1;
}

bool is_high(int unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(int unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

JsonString read_json_string(std::string_view text, JsonText* into, std::size_t limit) {
  if (into != nullptr) {
    into->bytes.clear();
    into->length = 0;
    into->lone_surrogate = false;
  }
  const auto keep = [&](std::string_view bytes) {
    if (into == nullptr) return;
    into->length += bytes.size();
    if (into->length <= limit) into->bytes.append(bytes);
  };
  std::size_t at = 1;
  for (;;) {
    const std::size_t run = string_run(text.substr(at));
    keep(text.substr(at, run));
    at += run;
    if (at == text.size()) return {at, "the string does not end"};
    if (text[at] == '"') return {at + 1, nullptr};
    if (text[at] != '\\') return {at, "a control character inside a string"};
    ++at;
    if (at == text.size()) return {at, "the string does not end"};
    if (text[at] != 'u') {
      const char meant = short_escape(text[at]);
      if (meant == '\0') return {at, "no such escape"};
      keep({&meant, 1});
      ++at;
      continue;
    }
    const int unit = code_unit(text.substr(at + 1));
    if (unit < 0) return {at + 1, "expected four hexadecimal digits"};
    at += 5;
    char32_t code_point = static_cast<char32_t>(unit);
    if (is_high(unit) || is_low(unit)) {
      const int second = is_high(unit) && text.substr(at, 2) == "\\u" ? code_unit(text.substr(at + 2)) : -1;
      if (is_low(second)) {
        code_point = static_cast<char32_t>(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00));
        at += 6;
      } else {
        code_point = 0xFFFD;
        if (into != nullptr) into->lone_surrogate = true;
      }
    }
    std::string encoded;
    text::append_utf8(encoded, code_point);
    keep(encoded);
  }
}

}  // namespace tritonrl::data
