#include "base/base64.h"

#include <array>
#include <cstdint>

#include "base/check.h"

namespace tritonrl::base {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> kDigits = [] {
  std::array<std::int8_t, 256> digits{};
  digits.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return digits;
}();

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t rest = bytes.size() - i;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < rest ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= rest ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = !last ? 0 : (text[i + 3] == '=' ? (text[i + 2] == '=' ? 2 : 1) : 0);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int digit = k + padding >= 4 ? 0 : kDigits[static_cast<unsigned char>(text[i + k])];
      if (digit < 0) return std::nullopt;
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k + padding < 3; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  return bytes;
}

std::vector<std::uint32_t> base64_numbers(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t number = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = kDigits[static_cast<unsigned char>(c)];
    TRL_CHECK(digit >= 0, "a table's text has another character");
    number |= static_cast<std::uint32_t>(digit & 31) << bits;
    bits += 5;
    if (digit >= 32) continue;
    numbers.push_back(number);
    number = bits = 0;
  }
  return numbers;
}

}  // namespace tritonrl::base
