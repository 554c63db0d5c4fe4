#include "text/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/paths.h"
#include "tests/text/tokenizer/small_tokenizer.h"

namespace tritonrl::text {
namespace {

using Ids = std::vector<TokenId>;

TEST(Tokenizer, DecodeGivesBackTheBytes) {
  const Tokenizer tokenizer = small_tokenizer();
  for (const std::string text :
       {"", "def f(x):\n\treturn x\n", "na\xC3\xAFve \xF0\x9F\x98\x80", "<|im_start|>user\nhi<|im_end|>"}) {
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  }
  std::string bytes;  // a token a byte, also where that is no character
  for (int byte = 0; byte < 256; ++byte) bytes += tokenizer.bytes_of(byte + 3);
  EXPECT_EQ(bytes.size(), 256u);
  EXPECT_EQ(tokenizer.decode(Ids{*tokenizer.id_of("\xC3\xBF")}), "\xFF");
}

TEST(Tokenizer, SpecialTokens) {
  const Tokenizer tokenizer = small_tokenizer();
  const TokenId end = *tokenizer.id_of("<|im_end|>");
  EXPECT_TRUE(tokenizer.is_special(end));
  EXPECT_FALSE(tokenizer.is_special(*tokenizer.id_of("a")));
  const Ids ids = tokenizer.encode("a<|im_end|>a");
  EXPECT_EQ(ids, (Ids{*tokenizer.id_of("a"), end, *tokenizer.id_of("a")}));
  EXPECT_EQ(tokenizer.decode(ids, /*skip_special=*/true), "aa");
  const Ids ordinary = tokenizer.encode_ordinary("a<|im_end|>a");
  EXPECT_EQ(std::count(ordinary.begin(), ordinary.end(), end), 0);
  EXPECT_EQ(tokenizer.decode(ordinary, /*skip_special=*/true), "a<|im_end|>a");
}

TEST(Tokenizer, IdsOutsideTheVocabulary) {
  const Tokenizer tokenizer = small_tokenizer();
  EXPECT_EQ(tokenizer.size(), 1200);
  EXPECT_EQ(tokenizer.bytes_of(-1), "");
  EXPECT_EQ(tokenizer.bytes_of(tokenizer.size()), "");
  EXPECT_EQ(tokenizer.decode(Ids{-5, 1 << 30}), "");
  EXPECT_FALSE(tokenizer.is_special(-1));
  EXPECT_FALSE(tokenizer.id_of("no such token"));
}

TEST(Tokenizer, BytesThatAreNotInTheVocabulary) {
  TokenizerParts parts = tiny_parts();
  const TokenId unknown = *Tokenizer::from_parts(parts, "tiny").id_of("?");
  std::string& x = parts.vocabulary[static_cast<std::size_t>(*Tokenizer::from_parts(parts, "tiny").id_of("x"))];
  x.clear();
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xx"), Ids{});
  parts.unknown_token = "?";
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xx"), (Ids{unknown, unknown}));
  parts.fuse_unknown = true;
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xx"), Ids{unknown});
}

TEST(Tokenizer, IgnoreMergesTakesAWholeWord) {
  TokenizerParts parts = tiny_parts();
  parts.vocabulary.push_back("xyz");  // no merges lead to it
  const TokenId whole = static_cast<TokenId>(parts.vocabulary.size()) - 1;
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xyz").size(), 3u);
  parts.ignore_merges = true;
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xyz"), Ids{whole});
  EXPECT_EQ(Tokenizer::from_parts(parts, "tiny").encode("xyza").size(), 4u);
}

TEST(Tokenizer, TwoTokenizersInOneThreadKeepTheirWordsApart) {
  TokenizerParts other = tiny_parts();
  other.merges.clear();
  const Tokenizer first = Tokenizer::from_parts(tiny_parts(), "tiny");
  const Tokenizer second = Tokenizer::from_parts(other, "tiny");
  const Tokenizer third = small_tokenizer();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(first.encode("abc").size(), 1u);
    EXPECT_EQ(second.encode("abc").size(), 3u);
    EXPECT_EQ(third.decode(third.encode("abc")), "abc");
  }
}

TEST(Tokenizer, ManyThreads) {
  const Tokenizer tokenizer = small_tokenizer();
  const std::string text = base::read_file(source_path("src/README.md"));
  const Ids expected = tokenizer.encode(text);
  std::vector<int> right(4);
  std::vector<std::thread> threads;
  for (int& count : right) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) count += tokenizer.encode(text) == expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 20));
}

// Words without a split must not take time quadratic in their length; a second for each would be a hundred times too
// long.
TEST(Tokenizer, LongWords) {
  const Tokenizer tokenizer = small_tokenizer();
  for (const std::string unit : {"a", "e", " ", "=", "the", "\xC3\xA9", "\n", " \n", "'s", "<|"}) {
    std::string text;
    while (text.size() < 400'000) text += unit;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << unit;
  }
}

TEST(Tokenizer, LongMarksAreSortedInTime) {
  TokenizerParts parts = tiny_parts();
  parts.nfc = true;
  const Tokenizer tokenizer = Tokenizer::from_parts(parts, "tiny");
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "\xCC\x81" : "\xCC\x96";
  EXPECT_EQ(tokenizer.encode(text).size(), text.size() - 1);  // a and one accent became one character of two bytes
}

}  // namespace
}  // namespace tritonrl::text
