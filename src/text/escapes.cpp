#include "text/escapes.h"

#include <array>

#include "text/chars.h"
#include "text/python_scan.h"

namespace tritonrl::text {
namespace {

void append_utf8(unsigned code, std::string* out) {
  auto tail = [&](int shift) { *out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    *out += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Four hexadecimal digits at `at`, -1 if they are not there.
int hex4(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (char c : text.substr(at, 4)) {
    c = lower(c);
    if (!is_digit(c) && (c < 'a' || c > 'f')) return -1;
    value = value * 16 + (is_digit(c) ? c - '0' : c - 'a' + 10);
  }
  return value;
}

// Reads the escape whose backslash stands at `at`; returns where to go on.
std::size_t unescape_one(std::string_view text, std::size_t at, std::string* out) {
  if (at + 1 == text.size()) return text.size();  // cut inside the escape
  char c = text[at + 1];
  constexpr std::string_view kFrom = "ntrbf", kTo = "\n\t\r\b\f";
  if (std::size_t i = kFrom.find(c); i != kNone) {
    *out += kTo[i];
    return at + 2;
  }
  if (int high = c == 'u' ? hex4(text, at + 2) : -1; high >= 0) {
    int low = text.substr(at + 6, 2) == "\\u" ? hex4(text, at + 8) : -1;
    if (high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      append_utf8(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), out);
      return at + 12;
    }
    bool lone = high >= 0xD800 && high < 0xE000;
    append_utf8(lone ? 0xFFFD : high, out);
    return at + 6;
  }
  *out += c;
  return at + 2;
}

// The JSON string whose first character stands at `at`; sets `at` behind its closing quote.
std::string read_json_string(std::string_view text, std::size_t* at) {
  std::string out;
  while (*at < text.size() && text[*at] != '"') {
    if (text[*at] == '\\') {
      *at = unescape_one(text, *at, &out);
    } else {
      out += text[(*at)++];
    }
  }
  *at = *at < text.size() ? *at + 1 : text.size();
  return out;
}

// A string must be all there is, as Python too may begin with one.
bool begins_like_json(std::string_view text) {
  if (text.starts_with('"')) {
    std::size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return end + 1 >= text.size();
  }
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  std::string_view next = trim(text.substr(1));
  return next.starts_with('"') || (text[0] == '[' && (next.starts_with('{') || next.starts_with('[')));
}

}  // namespace

std::optional<std::string> json_code(std::string_view text, std::string_view entry_point) {
  text = trim(text);
  if (!begins_like_json(text)) return {};
  if (text.find("\\n") == kNone) return {};
  std::string best;
  bool best_names = false;
  for (std::size_t at = text.find('"'); at != kNone; at = text.find('"', at)) {
    std::string value = read_json_string(text, &++at);
    if (value.find('\n') == kNone) continue;
    bool names = value.find(entry_point) != kNone;
    if (best.empty() || names > best_names || (names == best_names && value.size() > best.size())) {
      best = std::move(value);
      best_names = names;
    }
  }
  if (best.empty()) return {};
  return best;
}

std::optional<std::string> unescape_flat_code(std::string_view text) {
  text = trim(text);
  if (text.find('\n') != kNone || text.find("\\n") == kNone) return {};
  std::string kinds = byte_kinds(text);
  int breaks = 0;
  for (std::size_t at = text.find("\\n"); at != kNone; at = text.find("\\n", at + 2)) breaks += kinds[at] == kCode;
  if (breaks < 2) return {};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      at = unescape_one(text, at, &out);
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::string unescape_html(std::string code) {
  struct Entity {
    std::string_view name, text;
  };
  constexpr std::array<Entity, 12> kEntities = {{{"&lt;", "<"},
                                                 {"&gt;", ">"},
                                                 {"&amp;", "&"},
                                                 {"&quot;", "\""},
                                                 {"&apos;", "'"},
                                                 {"&nbsp;", " "},
                                                 {"&#39;", "'"},
                                                 {"&#x27;", "'"},
                                                 {"&#34;", "\""},
                                                 {"&#x2F;", "/"},
                                                 {"&#60;", "<"},
                                                 {"&#62;", ">"}}};
  if (code.find('&') == kNone) return code;
  std::string kinds = byte_kinds(code);
  std::string out;
  bool in_code = false;
  for (std::size_t i = 0; i < code.size();) {
    std::string_view rest = std::string_view(code).substr(i);
    const Entity* found = nullptr;
    if (rest[0] == '&') {
      for (const Entity& entity : kEntities) {
        if (rest.starts_with(entity.name)) found = &entity;
      }
    }
    if (found != nullptr) {
      in_code |= kinds[i] == kCode;
      out += found->text;
      i += found->name.size();
    } else {
      out += code[i++];
    }
  }
  return in_code ? out : code;
}

}  // namespace tritonrl::text
