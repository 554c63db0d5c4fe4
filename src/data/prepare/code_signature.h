#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tritonrl::data {

// What tells whether two texts are the same but for layout, or nearly the same.
struct CodeSignature {
  static constexpr int kBands = 12, kRows = 4;  // bands of so many smallest hashes each

  std::uint64_t exact = 0;  // of all tokens: equal where only layout and comments differ
  std::uint64_t calls = 0;  // of the names that the text uses but did not choose, and of arithmetic, in their order
  std::array<std::uint32_t, kBands * kRows>
      smallest{};           // min-hashes of runs of four tokens, own names and strings left out
  bool comparable = false;  // long enough for the min-hashes to say something

  // A key for each band: texts that are nearly the same share at least one, with high probability.
  std::array<std::uint64_t, kBands> band_keys() const;
};

CodeSignature code_signature(std::string_view code);

// The estimated share of runs that two texts have in common, 0 to 1; 0 where they call other functions, or in another
// order.
double similarity(const CodeSignature& a, const CodeSignature& b);

}  // namespace tritonrl::data
