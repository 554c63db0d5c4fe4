#pragma once

#include <string_view>

namespace tritonrl::text {

// Unicode as Hugging Face's `tokenizers` sees it; made by scripts/make_unicode_tables.py. Texts of numbers
// (base::base64_numbers), ascending by code point. Hangul syllables are computed, not listed.
struct UnicodeTables {
  // Sets: how many code points are not in it, then how many are, in turn.
  static const std::string_view kLetters;         // \p{L} in a split pattern
  static const std::string_view kNumbers;         // \p{N} in a split pattern
  static const std::string_view kSpaces;          // \s in a split pattern
  static const std::string_view kIsolatedDigits;  // what the step Digits cuts out; knows a newer Unicode
  static const std::string_view kWordCharacters;  // what stops an added token with single_word
  static const std::string_view kStrippedSpaces;  // what added tokens with lstrip or rstrip take
  // Ranges of marks: how far from the end of the one before, how many, and a number by which marks sort: not Unicode's
  // class itself, but ordered like it.
  static const std::string_view kCombining;
  // Code points: how far from the one before; twice the number of parts, and one where the parts compose to it again
  // (two then, which may decompose further); each part less the one at its place before, doubled, a negative one made
  // positive and lessened by one.
  static const std::string_view kDecompositions;
};

}  // namespace tritonrl::text
