#include "syntax/lexer_words.h"

#include <array>
#include <cstdint>
#include <iterator>

namespace tritonrl::syntax {
namespace {

struct Keyword {
  std::string_view word;
  Token token;
};
constexpr Keyword kKeywords[] = {
#define TRITONRL_KEYWORD(name, word) {word, Token::k##name},
    TRITONRL_KEYWORDS(TRITONRL_KEYWORD)
#undef TRITONRL_KEYWORD
};

constexpr std::size_t kKeywordSlots = 128;

constexpr std::size_t keyword_slot(std::string_view word) {
  return (static_cast<unsigned char>(word[0]) * 7u + static_cast<unsigned char>(word[1]) * 3u +
          static_cast<unsigned char>(word.back()) + word.size() * 11) %
         kKeywordSlots;
}

// Where each keyword's search begins; 255: nowhere.
constexpr std::array<std::uint8_t, kKeywordSlots> kKeywordTable = [] {
  std::array<std::uint8_t, kKeywordSlots> table{};
  for (std::uint8_t& slot : table) slot = 255;
  for (std::size_t i = 0; i < std::size(kKeywords); ++i) {
    std::size_t slot = keyword_slot(kKeywords[i].word);
    while (table[slot] != 255) slot = (slot + 1) % kKeywordSlots;
    table[slot] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

}  // namespace

Token word_token(std::string_view word) {
  if (word.size() < 2 || word.size() > 8) return Token::kName;
  for (std::size_t slot = keyword_slot(word); kKeywordTable[slot] != 255; slot = (slot + 1) % kKeywordSlots) {
    const Keyword& keyword = kKeywords[kKeywordTable[slot]];
    if (keyword.word == word) return keyword.token;
  }
  return Token::kName;
}

}  // namespace tritonrl::syntax
