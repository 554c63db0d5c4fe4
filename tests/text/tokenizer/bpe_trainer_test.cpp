#include "text/tokenizer/bpe_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::text {
namespace {

std::vector<std::string> texts() {
  return {"the cat and the hat\n", "the bat sat on 123 mats\n", "a cat, a hat, a bat<|end|>the end\n"};
}

BpeTrainerOptions options(int merges) {
  return {.vocab_size = 2 + 256 + merges, .special_tokens = {"<|end|>", "<|pad|>"}};
}

TEST(BpeTrainer, SpecialTokensThenBytesThenMerges) {
  const TokenizerParts parts = train_bpe(texts(), options(5));
  ASSERT_EQ(parts.vocabulary.size(), 263u);
  EXPECT_EQ(parts.vocabulary[0], "<|end|>");
  EXPECT_EQ(parts.vocabulary[1], "<|pad|>");
  EXPECT_EQ(parts.vocabulary[2], "!");
  // "at" occurs seven times, more often than any other pair.
  ASSERT_EQ(parts.merges.size(), 5u);
  EXPECT_EQ(parts.merges[0], (std::pair<std::string, std::string>("a", "t")));
  EXPECT_EQ(parts.vocabulary[258], "at");
}

TEST(BpeTrainer, WhatItLearnsEncodesAndDecodes) {
  const Tokenizer tokenizer = Tokenizer::from_parts(train_bpe(texts(), options(60)), "trained");
  for (const std::string& text : texts()) EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  EXPECT_EQ(tokenizer.encode("the").size(), 1u);
  EXPECT_EQ(tokenizer.encode("123").size(), 3u);  // digits singly
  EXPECT_EQ(tokenizer.encode("<|end|>"), std::vector<TokenId>{0});
  EXPECT_TRUE(tokenizer.is_special(1));
}

TEST(BpeTrainer, TheOrderOfTextsDoesNotMatter) {
  std::vector<std::string> reversed = texts();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(tokenizer_json(train_bpe(texts(), options(30))), tokenizer_json(train_bpe(reversed, options(30))));
}

TEST(BpeTrainer, RareAndLongPairsAreNotMerged) {
  BpeTrainerOptions limited = options(1000);
  const std::size_t all = train_bpe(texts(), limited).merges.size();
  EXPECT_LT(all, 1000u);  // the text has no more
  limited.min_frequency = 5;
  const std::size_t frequent = train_bpe(texts(), limited).merges.size();
  EXPECT_LT(frequent, all);
  EXPECT_GT(frequent, 0u);
  limited.min_frequency = 1;
  limited.longest_token = 2;
  const auto merges = train_bpe(texts(), limited).merges;
  EXPECT_FALSE(merges.empty());
  for (const auto& [left, right] : merges) EXPECT_LE(left.size() + right.size(), 4u);  // a character is up to two bytes
}

TEST(BpeTrainer, PairsThatOverlapAreCountedOnce) {
  // After "aa" is merged, "aaaa" holds the pair (aa, aa) and no (a, a).
  const TokenizerParts parts = train_bpe(std::vector<std::string>(3, "aaaa"), {.vocab_size = 256 + 2});
  EXPECT_EQ(parts.merges, (std::vector<std::pair<std::string, std::string>>{{"a", "a"}, {"aa", "aa"}}));
}

TEST(BpeTrainer, RefusesImpossibleOptions) {
  EXPECT_THROW(BpeTrainer({.vocab_size = 255}), base::UserError);
  EXPECT_THROW(BpeTrainer({.vocab_size = 300, .special_tokens = {"<a>", "<a>"}}), base::UserError);
  EXPECT_THROW(BpeTrainer({.vocab_size = 300, .special_tokens = {""}}), base::UserError);
  EXPECT_THROW(BpeTrainer({.vocab_size = 300, .special_tokens = {"x"}}), base::UserError);
}

}  // namespace
}  // namespace tritonrl::text
