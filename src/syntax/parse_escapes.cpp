#include "syntax/parse_escapes.h"

#include "syntax/parse_text.h"

namespace tritonrl::syntax {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One escape: `at` is behind the backslash and comes to stand behind the escape. False: Python refuses it, or we do.
bool decode_escape(std::string_view text, std::size_t& at, bool bytes, std::string& out) {
  const auto put = [&](char32_t value) { bytes ? void(out += static_cast<char>(value)) : append_utf8(value, out); };
  if (at >= text.size()) {
    out += '\\';
    return true;
  }
  const char c = text[at++];
  switch (c) {
    case '\n':
      return true;
    case '\\':
    case '\'':
    case '"':
      out += c;
      return true;
    case 'a':
      out += '\a';
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'v':
      out += '\v';
      return true;
    default:
      break;
  }
  if (c >= '0' && c <= '7') {
    char32_t value = static_cast<char32_t>(c - '0');
    for (int i = 0; i < 2 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i)
      value = value * 8 + static_cast<char32_t>(text[at++] - '0');
    put(value);
    return true;
  }
  const std::size_t digits = c == 'x' ? 2 : bytes ? 0 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits > 0) {
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const int digit = at < text.size() ? hex_value(text[at++]) : -1;
      if (digit < 0) return false;
      value = value << 4 | static_cast<char32_t>(digit);
    }
    if (value > 0x10ffff) return false;
    put(value);
    return true;
  }
  if (c == 'N' && !bytes) return false;  // characters by name are not known here
  (out += '\\') += c;
  return true;
}

}  // namespace

bool decode_literal(std::string_view text, bool raw, bool bytes, std::string& out) {
  if (raw) {
    out += text;
    return true;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = text.find('\\', at);
    out += text.substr(at, escape - at);
    if (escape == std::string_view::npos) return true;
    at = escape + 1;
    if (!decode_escape(text, at, bytes, out)) return false;
  }
  return true;
}

}  // namespace tritonrl::syntax
