#include "text/tokenizer/stream_decoder.h"

#include <gtest/gtest.h>

#include "tests/text/tokenizer/small_tokenizer.h"
#include "text/tokenizer/byte_alphabet.h"

namespace tritonrl::text {
namespace {

std::vector<TokenId> byte_tokens(const Tokenizer& tokenizer, std::string_view bytes) {
  std::vector<TokenId> ids;
  for (const char byte : bytes) ids.push_back(*tokenizer.id_of(byte_alphabet()[static_cast<unsigned char>(byte)]));
  return ids;
}

TEST(StreamDecoder, WaitsForWholeCharacters) {
  const Tokenizer tokenizer = small_tokenizer();
  StreamDecoder stream(tokenizer);
  std::vector<std::string> parts;
  for (const TokenId id : byte_tokens(tokenizer, "a\xF0\x9F\x98\x80z")) parts.push_back(stream.add(id));
  EXPECT_EQ(parts, (std::vector<std::string>{"a", "", "", "", "\xF0\x9F\x98\x80", "z"}));
  EXPECT_EQ(stream.finish(), "");
}

TEST(StreamDecoder, ReplacesWhatCannotBecomeACharacter) {
  const Tokenizer tokenizer = small_tokenizer();
  StreamDecoder stream(tokenizer);
  std::vector<std::string> parts;
  for (const TokenId id : byte_tokens(tokenizer, "\xE2\x82x\xFF\xE2\x82")) parts.push_back(stream.add(id));
  EXPECT_EQ(parts, (std::vector<std::string>{"", "", "\xEF\xBF\xBDx", "\xEF\xBF\xBD", "", ""}));
  EXPECT_EQ(stream.finish(), "\xEF\xBF\xBD");
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(stream.add(*tokenizer.id_of("a")), "a");  // ready for another text
}

TEST(StreamDecoder, SpecialTokens) {
  const Tokenizer tokenizer = small_tokenizer();
  const TokenId end = *tokenizer.id_of("<|im_end|>");
  EXPECT_EQ(StreamDecoder(tokenizer).add(end), "");
  EXPECT_EQ(StreamDecoder(tokenizer, /*skip_special=*/false).add(end), "<|im_end|>");
}

}  // namespace
}  // namespace tritonrl::text
