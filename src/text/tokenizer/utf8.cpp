#include "text/tokenizer/utf8.h"

#include <cstdint>
#include <cstring>

namespace tritonrl::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

std::size_t skip_ascii(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size()) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + at, 8);
    if ((eight & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

Utf8Start look_at_utf8(std::string_view text) {
  const unsigned char lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {Utf8Start::Kind::kCharacter, 1};
  if (lead < 0xC2 || lead > 0xF4) return {Utf8Start::Kind::kInvalid, 1};
  const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
  unsigned char low = 0x80, high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (int i = 1; i < length; ++i) {
    if (static_cast<std::size_t>(i) == text.size()) return {Utf8Start::Kind::kIncomplete, i};
    const unsigned char byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if (byte < low || byte > high) return {Utf8Start::Kind::kInvalid, i};
    low = 0x80;
    high = 0xBF;
  }
  return {Utf8Start::Kind::kCharacter, length};
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x80) {
      text.remove_prefix(skip_ascii(text));
      continue;
    }
    const Utf8Start start = look_at_utf8(text);
    if (start.kind != Utf8Start::Kind::kCharacter) return false;
    text.remove_prefix(static_cast<std::size_t>(start.length));
  }
  return true;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Start start = look_at_utf8(text);
    const std::size_t length = static_cast<std::size_t>(start.length);
    out += start.kind == Utf8Start::Kind::kCharacter ? text.substr(0, length) : kReplacement;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace tritonrl::text
