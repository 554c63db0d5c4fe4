#include "text/tokenizer/byte_alphabet.h"

#include <cstdint>

#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

constexpr char32_t kEnd = 0x100 + 68;  // 68 bytes are not printable

bool stands_for_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

const std::array<std::int16_t, kEnd>& bytes_by_character() {
  static const auto table = [] {
    std::array<std::int16_t, kEnd> bytes;
    bytes.fill(-1);
    for (int byte = 0; byte < 256; ++byte) {
      bytes[decode_valid_utf8(byte_alphabet()[static_cast<std::size_t>(byte)].data()).value] =
          static_cast<std::int16_t>(byte);
    }
    return bytes;
  }();
  return table;
}

}  // namespace

const std::array<std::string, 256>& byte_alphabet() {
  static const auto alphabet = [] {
    std::array<std::string, 256> characters;
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      append_utf8(characters[static_cast<std::size_t>(byte)],
                  stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++);
    }
    return characters;
  }();
  return alphabet;
}

std::string to_byte_alphabet(std::string_view bytes) {
  std::string token;
  for (const char byte : bytes) token += byte_alphabet()[static_cast<unsigned char>(byte)];
  return token;
}

std::optional<std::string> from_byte_alphabet(std::string_view token) {
  const auto& table = bytes_by_character();
  std::string bytes;
  while (!token.empty()) {
    const Utf8Start start = look_at_utf8(token);
    if (start.kind != Utf8Start::Kind::kCharacter) return std::nullopt;
    const char32_t c = decode_valid_utf8(token.data()).value;
    if (c >= kEnd || table[c] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(table[c]));
    token.remove_prefix(static_cast<std::size_t>(start.length));
  }
  return bytes;
}

}  // namespace tritonrl::text
