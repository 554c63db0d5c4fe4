#include "text/clean_bytes.h"

#include "text/chars.h"

namespace tritonrl::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The length of the well-formed UTF-8 character at the front, 0 if there is none (Unicode 15, table 3-7).
std::size_t character_length(std::string_view text) {
  auto tail = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return byte_at(text, i) >= low && byte_at(text, i) <= high;
  };
  unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead == 0xE0) return tail(1, 0xA0) && tail(2) ? 3 : 0;
  if (lead == 0xED) return tail(1, 0x80, 0x9F) && tail(2) ? 3 : 0;
  if (lead >= 0xE1 && lead <= 0xEF) return tail(1) && tail(2) ? 3 : 0;
  if (lead == 0xF0) return tail(1, 0x90) && tail(2) && tail(3) ? 4 : 0;
  if (lead == 0xF4) return tail(1, 0x80, 0x8F) && tail(2) && tail(3) ? 4 : 0;
  if (lead >= 0xF1 && lead <= 0xF3) return tail(1) && tail(2) && tail(3) ? 4 : 0;
  return 0;
}

}  // namespace

OddSpace odd_space(std::string_view text) {
  unsigned char a = byte_at(text, 0), b = byte_at(text, 1), c = byte_at(text, 2);
  if (a == '\f' || a == '\v') return {1, false};
  if (a == 0xC2 && b == 0xA0) return {2, true};               // no-break space
  if (a == 0xC2 && b == 0xAD) return {2, false};              // soft hyphen
  if (a == 0xE3 && b == 0x80 && c == 0x80) return {3, true};  // ideographic space
  if (a != 0xE2) return {};
  if (b == 0x80 && c >= 0x80 && c <= 0x8A) return {3, true};   // en quad to hair space
  if (b == 0x80 && c >= 0x8B && c <= 0x8F) return {3, false};  // zero-width space, joiners, direction marks
  if (b == 0x80 && c == 0xAF) return {3, true};                // narrow no-break space
  if (b == 0x81 && c == 0x9F) return {3, true};                // mathematical space
  if (b == 0x81 && c == 0xA0) return {3, false};               // word joiner
  return {};
}

std::string clean_bytes(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  bool in_indentation = true;
  for (std::size_t i = 0; i < bytes.size();) {
    std::string_view rest = bytes.substr(i);
    char c = rest[0];
    if (c == '\r' || c == '\n') {
      i += c == '\r' && rest.size() > 1 && rest[1] == '\n' ? 2 : 1;
      out += '\n';
      in_indentation = true;
      continue;
    }
    std::size_t length = character_length(rest);
    if (length == 0) {
      out += kReplacement;
      in_indentation = false;
      ++i;
      continue;
    }
    i += length;
    if (c == '\0' || rest.starts_with(kByteOrderMark)) continue;
    if (in_indentation) {
      OddSpace odd = odd_space(rest);
      if (odd.length > 0) {
        if (odd.visible) out += ' ';
        continue;
      }
      in_indentation = is_blank(c);
    }
    out += rest.substr(0, length);
  }
  return out;
}

}  // namespace tritonrl::text
