#include "text/tokenizer/frequent_fragments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "text/tokenizer/bpe_trainer.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::text {
namespace {

struct FragmentTexts {
  std::vector<std::string> answers, prompts;
};

FragmentTexts kernels() {
  FragmentTexts out;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "name" + std::to_string(i);
    out.prompts.push_back("import torch\n\ndef forward(self, " + name + "):\n    return torch.exp(" + name + ")\n");
    out.answers.push_back("import torch\nimport triton\n\n@triton.jit\ndef kernel1(" + name +
                          "_ptr, n, BLOCK: tl.constexpr):\n    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                          "    m = o < n\n    " +
                          name + " = tl.load(" + name + "_ptr + o, mask=m)\n    return torch.exp(" + name + ")\n");
  }
  return out;
}

TEST(FrequentFragments, AreWholePiecesOfAnswersAlone) {
  const FragmentTexts given = kernels();
  const std::vector<std::string> found = frequent_fragments(given.answers, given.prompts, {.count = 20});
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::any_of(found, [](const std::string& each) {
    return each.find("tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n") != std::string::npos;
  }));
  for (const std::string& each : found) {
    EXPECT_EQ(each.find("name"), std::string::npos) << each;
    for (const std::string& prompt : given.prompts) EXPECT_EQ(prompt.find(each), std::string::npos) << each;
  }
  EXPECT_EQ(frequent_fragments(given.answers, given.prompts, {.count = 20}), found);
  EXPECT_LE(frequent_fragments(given.answers, given.prompts, {.count = 2}).size(), 2u);
}

TEST(FrequentFragments, ShortenAnswersAsTokensOfTheirOwn) {
  const FragmentTexts given = kernels();
  const auto tokens = [&](std::vector<std::string> fragments) {
    BpeTrainerOptions wanted{.vocab_size = 400, .fragments = std::move(fragments)};
    const Tokenizer tokenizer = Tokenizer::from_parts(train_bpe(given.answers, wanted), "trained");
    std::size_t sum = 0;
    for (const std::string& answer : given.answers) {
      const auto ids = tokenizer.encode(answer);
      EXPECT_EQ(tokenizer.decode(ids, true), answer);  // no marks, which would be left out
      sum += ids.size();
    }
    return sum;
  };
  EXPECT_LT(2 * tokens(frequent_fragments(given.answers, given.prompts, {.count = 20})), tokens({}));
}

}  // namespace
}  // namespace tritonrl::text
