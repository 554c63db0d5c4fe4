#include "syntax/parse_text.h"

#include <cstdint>
#include <cstring>

#include "syntax/lexer.h"

namespace tritonrl::syntax {
namespace {

// The length of the valid character at the front; 0: there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc2 ? 2 : 0;
  if (length == 0 || byte(0) > 0xf4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
  }
  const bool too_long = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xed && byte(1) >= 0xa0, beyond = byte(0) == 0xf4 && byte(1) >= 0x90;
  return too_long || surrogate || beyond ? 0 : length;
}

int line_of(std::string_view text, std::size_t at) {
  int line = 1;
  for (const char c : text.substr(0, at)) line += c == '\n';
  return line;
}

}  // namespace

void check_text(std::string_view text) {
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) throw SyntaxFailure{"a zero byte where text should stand", line_of(text, zero)};
  for (std::size_t i = 0; i < text.size();) {
    std::uint64_t eight = 0;
    while (i + 8 <= text.size()) {
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080u) != 0) break;
      i += 8;
    }
    while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
    while (i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80) {
      const std::size_t length = character_length(text.substr(i));
      if (length == 0) throw SyntaxFailure{"bytes that are no UTF-8", line_of(text, i)};
      i += length;
    }
  }
}

std::string with_plain_newlines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
      out += '\n';
    } else {
      out += text[i];
    }
  }
  return out;
}

void append_utf8(char32_t character, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace tritonrl::syntax
