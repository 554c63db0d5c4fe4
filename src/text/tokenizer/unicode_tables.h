#pragma once

#include <cstdint>
#include <span>

namespace tritonrl::text {

struct CodePointRange {
  char32_t first, last;  // both inside
};
struct CombiningRange {
  char32_t first, last;
  std::uint8_t order;  // marks sort by it; not Unicode's class itself, but ordered like it
};
struct Decomposition {
  char32_t code_point;
  std::uint16_t begin, length;  // in decomposed(); complete, nothing in it decomposes further
};
struct Composition {
  char32_t first, second, composed;
};

// Unicode as Hugging Face's `tokenizers` sees it; made by scripts/make_unicode_tables.py. All sorted. Hangul syllables
// are computed, not listed.
struct UnicodeTables {
  static std::span<const CodePointRange> letters();          // \p{L} in a split pattern
  static std::span<const CodePointRange> numbers();          // \p{N} in a split pattern
  static std::span<const CodePointRange> spaces();           // \s in a split pattern
  static std::span<const CodePointRange> isolated_digits();  // what the step Digits cuts out; knows a newer Unicode
  static std::span<const CodePointRange> word_characters();  // what stops an added token with single_word
  static std::span<const CodePointRange> stripped_spaces();  // what added tokens with lstrip or rstrip take
  static std::span<const CodePointRange> touched_by_nfc();   // text without any of these is in NFC already
  static std::span<const CombiningRange> combining();
  static std::span<const char32_t> decomposed();
  static std::span<const Decomposition> decompositions();
  static std::span<const Composition> compositions();
};

}  // namespace tritonrl::text
