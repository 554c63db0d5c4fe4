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

void put(std::string& out, char32_t c, std::string_view bytes) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  if (turns_direction(c)) {
    char name[16];
    std::snprintf(name, sizeof(name), "[U+%04X]", static_cast<unsigned>(c));
    out += name;
  } else if (is_control(c)) {
    out += "\xEF\xBF\xBD";
  } else {
    out += bytes;
  }
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const text::Utf8Start start = text::look_at_utf8(text);
    const std::string_view part = text.substr(0, static_cast<std::size_t>(start.length));
    if (start.kind == text::Utf8Start::Kind::kCharacter) {
      put(out, text::decode_valid_utf8(part.data()).value, part);
    } else {
      out += "\xEF\xBF\xBD";
    }
    text.remove_prefix(part.size());
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
