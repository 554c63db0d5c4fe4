#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tritonrl::text {

struct CodePoint {
  char32_t value;
  int length;  // bytes
};

// The character at `p`, which must begin a whole one of valid UTF-8.
inline CodePoint decode_valid_utf8(const char* p) {
  const auto byte = [p](int i) { return static_cast<char32_t>(static_cast<unsigned char>(p[i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

// How many bytes at the start of `text` are ASCII.
std::size_t skip_ascii(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);

// What the bytes at the start of non-empty `text` are.
struct Utf8Start {
  enum class Kind { kCharacter, kInvalid, kIncomplete };
  Kind kind;
  int length;  // of the character, of the bytes that one U+FFFD stands for, or of the whole rest if that is incomplete
};
Utf8Start look_at_utf8(std::string_view text);

bool is_valid_utf8(std::string_view text);

// Each maximal run of bytes that cannot be part of a character becomes one U+FFFD, as Python's errors="replace" does.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace tritonrl::text
