#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tritonrl::data {

// How many bytes at the start of `text`, which lies inside a JSON string, are neither a quote, a backslash nor a
// control character. Eight at a time: most of a data set lies inside strings.
inline std::size_t string_run(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
  // The classic tests for a zero byte and for a byte below 0x20; exact for the lowest byte found, which is all we ask.
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    const std::uint64_t stops =
        has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\') | ((word - kOnes * 0x20) & ~word & kHighs);
    if (stops == 0) continue;
    if constexpr (std::endian::native == std::endian::little) {
      return at + static_cast<std::size_t>(std::countr_zero(stops)) / 8;
    }
    break;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
  }
  return at;
}

}  // namespace tritonrl::data
