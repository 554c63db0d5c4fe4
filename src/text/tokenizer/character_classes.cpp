#include "text/tokenizer/character_classes.h"

#include <string_view>

#include "base/base64.h"
#include "text/tokenizer/nfc.h"
#include "text/tokenizer/unicode_tables.h"

namespace tritonrl::text {

const CharacterClasses& CharacterClasses::get() {
  static const CharacterClasses classes;
  return classes;
}

CharacterClasses::CharacterClasses() : bits_(0x110000, 0) {
  const auto mark = [this](std::string_view set, Bit bit) {
    char32_t c = 0;
    bool inside = false;
    for (const std::uint32_t count : base::base64_numbers(set)) {
      for (const char32_t end = c + count; c < end; ++c) bits_[c] |= inside ? bit : 0;
      inside = !inside;
    }
  };
  mark(UnicodeTables::kLetters, kLetter);
  mark(UnicodeTables::kNumbers, kNumber);
  mark(UnicodeTables::kSpaces, kSpace);
  mark(UnicodeTables::kIsolatedDigits, kIsolatedDigit);
  mark(UnicodeTables::kWordCharacters, kWord);
  mark(UnicodeTables::kStrippedSpaces, kStrippedSpace);
  for (const char32_t c : NfcTables::get().touched) bits_[c] |= kTouchedByNfc;
}

}  // namespace tritonrl::text
