#include "report/page/html_text.h"

#include <cstdio>

#include "text/tokenizer/utf8.h"

namespace tritonrl::report {
namespace {

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
}

bool turns_direction(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

const char* escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return nullptr;
  }
}

}  // namespace

std::string visible_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const text::Utf8Start start = text::look_at_utf8(text);
    const std::string_view part = text.substr(0, static_cast<std::size_t>(start.length));
    const bool good = start.kind == text::Utf8Start::Kind::kCharacter;
    const char32_t c = good ? text::decode_valid_utf8(part.data()).value : 0;
    if (!good || is_control(c)) {
      out += "\xEF\xBF\xBD";
    } else if (turns_direction(c)) {
      char name[16];
      std::snprintf(name, sizeof(name), "[U+%04X]", static_cast<unsigned>(c));
      out += name;
    } else {
      out += part;
    }
    text.remove_prefix(part.size());
  }
  return out;
}

std::string html_text(std::string_view text) {
  const std::string visible = visible_text(text);
  std::string out;
  out.reserve(visible.size() + visible.size() / 8);
  for (const char c : visible) {
    if (const char* escape = escape_of(c)) {
      out += escape;
    } else {
      out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace tritonrl::report
