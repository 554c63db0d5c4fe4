// Ids as Hugging Face's tokenizers gives them; scripts/make_tokenizer_goldens.py writes the files.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/text/tokenizer/small_tokenizer.h"
#include "text/tokenizer/stream_decoder.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

std::string string_of(const base::Json& entry) {
  if (entry.contains("text")) return entry["text"].text();
  const std::string& hex = entry["hex"].text();
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

void expect_ids(const Tokenizer& tokenizer, std::istream& lines) {
  int strings = 0;
  for (std::string line; std::getline(lines, line); ++strings) {
    const base::Json entry = base::Json::parse(line);
    const auto expected = entry["ids"].get<std::vector<TokenId>>();
    const std::vector<TokenId> ids = tokenizer.encode(string_of(entry));
    ASSERT_EQ(ids, expected) << line;
    StreamDecoder stream(tokenizer, /*skip_special=*/false);
    std::string streamed;
    for (const TokenId id : ids) {
      const std::string part = stream.add(id);
      ASSERT_TRUE(is_valid_utf8(part)) << line;
      streamed += part;
    }
    streamed += stream.finish();
    ASSERT_EQ(streamed, replace_invalid_utf8(tokenizer.decode(ids))) << line;
  }
  EXPECT_GT(strings, 200);
}

class GoldenForm : public testing::TestWithParam<const char*> {};

TEST_P(GoldenForm, SameIdsAsHuggingFace) {
  std::istringstream lines(base::read_file(tokenizer_tests() / (std::string("golden_") + GetParam() + ".jsonl")));
  std::string first;
  ASSERT_TRUE(std::getline(lines, first));
  const base::Json form = base::Json::parse(first)["form"];
  base::Json document = small_tokenizer_document();
  for (const char* key : {"normalizer", "pre_tokenizer", "added_tokens"}) document[key] = form[key];
  document["model"]["ignore_merges"] = form["ignore_merges"];
  expect_ids(Tokenizer::from_json(document.dump(), GetParam()), lines);
}

INSTANTIATE_TEST_SUITE_P(Tokenizer, GoldenForm,
                         testing::Values("gpt2", "gpt2_digits", "gpt2_prefix_space", "qwen2", "qwen2_flags", "llama3"));

TEST(TokenizerGolden, Qwen25) {
  if (!std::filesystem::exists(qwen_folder() / "tokenizer.json"))
    GTEST_SKIP() << "no Qwen2.5 tokenizer beside the project";
  std::istringstream lines(base::read_file(tokenizer_tests() / "golden_qwen2_5.jsonl"));
  expect_ids(Tokenizer::from_file(qwen_folder() / "tokenizer.json"), lines);
}

}  // namespace
}  // namespace tritonrl::text
