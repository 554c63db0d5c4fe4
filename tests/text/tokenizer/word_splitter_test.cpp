#include "text/tokenizer/word_splitter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tritonrl::text {
namespace {

using Words = std::vector<std::string>;

Words words(Split split, std::string_view text) {
  const WordSplitter splitter(split);
  Words out;
  splitter.cut_digits(
      text, [&](std::string_view run) { splitter.split(run, [&](std::string_view word) { out.emplace_back(word); }); });
  return out;
}

TEST(WordSplitter, Gpt2) {
  EXPECT_EQ(words(Split::kGpt2, "I'm here,  you 123x!"),
            (Words{"I", "'m", " here", ",", " ", " you", " 123", "x", "!"}));
  EXPECT_EQ(words(Split::kGpt2, "I'M"), (Words{"I", "'", "M"}));
  EXPECT_EQ(words(Split::kGpt2, "a\n\n  b \n"), (Words{"a", "\n\n ", " b", " \n"}));
  EXPECT_EQ(words(Split::kGpt2, " "), (Words{" "}));
  EXPECT_EQ(words(Split::kGpt2, "\tx"), (Words{"\t", "x"}));
}

TEST(WordSplitter, Gpt2Digits) {
  EXPECT_EQ(words(Split::kGpt2Digits, "a 12b"), (Words{"a", " ", "1", "2", "b"}));
  EXPECT_EQ(words(Split::kGpt2Digits, "x  1  y"), (Words{"x", "  ", "1", " ", " y"}));
  EXPECT_EQ(words(Split::kGpt2Digits, "\xD9\xA1\xD9\xA2"), (Words{"\xD9\xA1", "\xD9\xA2"}));  // Arabic digits
}

TEST(WordSplitter, Qwen2) {
  EXPECT_EQ(words(Split::kQwen2, "I'M he'Ll x's"), (Words{"I", "'M", " he", "'Ll", " x", "'s"}));
  EXPECT_EQ(words(Split::kQwen2, "it'\xC5\xBF"), (Words{"it", "'\xC5\xBF"}));  // the long s
  EXPECT_EQ(words(Split::kQwen2, "a 12"), (Words{"a", " ", "1", "2"}));
  EXPECT_EQ(words(Split::kQwen2, "(x) \tfoo"), (Words{"(x", ")", " ", "\tfoo"}));
  EXPECT_EQ(words(Split::kQwen2, "a  \n\n  b"), (Words{"a", "  \n\n", " ", " b"}));
  EXPECT_EQ(words(Split::kQwen2, "x;\r\n\ny"), (Words{"x", ";\r\n\n", "y"}));
  EXPECT_EQ(words(Split::kQwen2, "\nx"), (Words{"\n", "x"}));
  EXPECT_EQ(words(Split::kQwen2, "end  "), (Words{"end", "  "}));
  EXPECT_EQ(words(Split::kQwen2, " ..\n."), (Words{" ..\n", "."}));
  EXPECT_EQ(words(Split::kQwen2, " "), (Words{" "}));
}

TEST(WordSplitter, Llama3TakesDigitsInThrees) {
  EXPECT_EQ(words(Split::kLlama3, "x1234567"), (Words{"x", "123", "456", "7"}));
  EXPECT_EQ(words(Split::kQwen2, "x12"), (Words{"x", "1", "2"}));
}

}  // namespace
}  // namespace tritonrl::text
