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
constexpr Keyword kKeywords[] = {{"False", Token::kFalse},
                                 {"None", Token::kNone},
                                 {"True", Token::kTrue},
                                 {"and", Token::kAnd},
                                 {"as", Token::kAs},
                                 {"assert", Token::kAssert},
                                 {"async", Token::kAsync},
                                 {"await", Token::kAwait},
                                 {"break", Token::kBreak},
                                 {"class", Token::kClass},
                                 {"continue", Token::kContinue},
                                 {"def", Token::kDef},
                                 {"del", Token::kDel},
                                 {"elif", Token::kElif},
                                 {"else", Token::kElse},
                                 {"except", Token::kExcept},
                                 {"finally", Token::kFinally},
                                 {"for", Token::kFor},
                                 {"from", Token::kFrom},
                                 {"global", Token::kGlobal},
                                 {"if", Token::kIf},
                                 {"import", Token::kImport},
                                 {"in", Token::kIn},
                                 {"is", Token::kIs},
                                 {"lambda", Token::kLambda},
                                 {"nonlocal", Token::kNonlocal},
                                 {"not", Token::kNot},
                                 {"or", Token::kOr},
                                 {"pass", Token::kPass},
                                 {"raise", Token::kRaise},
                                 {"return", Token::kReturn},
                                 {"try", Token::kTry},
                                 {"while", Token::kWhile},
                                 {"with", Token::kWith},
                                 {"yield", Token::kYield}};

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
