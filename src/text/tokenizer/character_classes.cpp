#include "text/tokenizer/character_classes.h"

#include <span>

#include "text/tokenizer/unicode_tables.h"

namespace tritonrl::text {

const CharacterClasses& CharacterClasses::get() {
  static const CharacterClasses classes;
  return classes;
}

CharacterClasses::CharacterClasses() : bits_(0x110000, 0) {
  const auto mark = [this](std::span<const CodePointRange> ranges, Bit bit) {
    for (const CodePointRange& range : ranges) {
      for (char32_t c = range.first; c <= range.last; ++c) bits_[c] |= bit;
    }
  };
  mark(UnicodeTables::letters(), kLetter);
  mark(UnicodeTables::numbers(), kNumber);
  mark(UnicodeTables::spaces(), kSpace);
  mark(UnicodeTables::isolated_digits(), kIsolatedDigit);
  mark(UnicodeTables::word_characters(), kWord);
  mark(UnicodeTables::stripped_spaces(), kStrippedSpace);
  mark(UnicodeTables::touched_by_nfc(), kTouchedByNfc);
}

}  // namespace tritonrl::text
