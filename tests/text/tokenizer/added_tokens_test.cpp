#include "text/tokenizer/added_tokens.h"

#include <gtest/gtest.h>

namespace tritonrl::text {
namespace {

// The pieces, with <id> for tokens.
std::string cut(const std::vector<AddedToken>& tokens, std::string_view text, bool ordinary_specials = false) {
  std::string out;
  AddedTokenMatcher(tokens).cut(
      text, ordinary_specials, [&](std::string_view piece) { out.append("[").append(piece).append("]"); },
      [&](TokenId id) { out += "<" + std::to_string(id) + ">"; });
  return out;
}

TEST(AddedTokens, TheLeftmostAndOfThoseTheLongest) {
  const std::vector<AddedToken> tokens = {
      {.id = 1, .content = "ab"}, {.id = 2, .content = "abcd"}, {.id = 3, .content = "bcdef"}};
  EXPECT_EQ(cut(tokens, "xabcdefab"), "[x]<2>[ef]<1>");
  EXPECT_EQ(cut(tokens, "abc"), "<1>[c]");
  EXPECT_EQ(cut(tokens, "bcdefa"), "<3>[a]");
  EXPECT_EQ(cut(tokens, ""), "");
  EXPECT_EQ(cut({}, "ab"), "[ab]");
}

TEST(AddedTokens, TakesWhitespace) {
  const std::vector<AddedToken> tokens = {{.id = 1, .content = "L", .strip_left = true},
                                          {.id = 2, .content = "R", .strip_right = true}};
  EXPECT_EQ(cut(tokens, "a \n\xC2\xA0L b"), "[a]<1>[ b]");
  EXPECT_EQ(cut(tokens, "a R  L b"), "[a ]<2><1>[ b]");
  EXPECT_EQ(cut(tokens, "R\xE3\x80\x80"), "<2>");
}

TEST(AddedTokens, SingleWords) {
  const std::vector<AddedToken> tokens = {{.id = 1, .content = "it", .single_word = true}};
  EXPECT_EQ(cut(tokens, "it, its, bit it"), "<1>[, its, bit ]<1>");
  EXPECT_EQ(cut(tokens, "it_ \xC3\xA9it \xE2\x80\x9Cit\xE2\x80\x9D"), "[it_ \xC3\xA9it \xE2\x80\x9C]<1>[\xE2\x80\x9D]");
}

TEST(AddedTokens, SpecialOnesCanBeOrdinaryText) {
  const std::vector<AddedToken> tokens = {{.id = 1, .content = "<s>", .special = true}, {.id = 2, .content = "<t>"}};
  EXPECT_EQ(cut(tokens, "<s><t>"), "<1><2>");
  EXPECT_EQ(cut(tokens, "<s><t>", /*ordinary_specials=*/true), "[<s>]<2>");
}

}  // namespace
}  // namespace tritonrl::text
