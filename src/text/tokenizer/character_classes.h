#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer/utf8.h"

namespace tritonrl::text {

// Which of Unicode's classes a character is in, as one lookup. One table for the process, built at first use.
class CharacterClasses {
 public:
  enum Bit : std::uint8_t {
    kLetter = 1,
    kNumber = 2,
    kSpace = 4,
    kIsolatedDigit = 8,
    kWord = 16,
    kStrippedSpace = 32,
    kTouchedByNfc = 64,
  };

  static const CharacterClasses& get();

  std::uint8_t of(char32_t code_point) const { return bits_[code_point]; }  // below 0x110000
  // Of the character at `p`, a whole one of valid UTF-8; `length` becomes its number of bytes.
  std::uint8_t at(const char* p, int& length) const {
    const CodePoint c = decode_valid_utf8(p);
    length = c.length;
    return bits_[c.value];
  }

 private:
  CharacterClasses();
  std::vector<std::uint8_t> bits_;
};

}  // namespace tritonrl::text
