#include "rl/plan_tokens.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/paths.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::rl {
namespace {

TEST(PlanTokens, EndWhereCodeBegins) {
  const text::Tokenizer tokenizer =
      text::Tokenizer::from_json(base::read_file(source_path("models/embedded/tokenizer.json")), "tokenizer.json");
  const struct {
    std::string plan, code;
  } cases[] = {
      {"# one region\n# rows of 4\n", "import torch\n"},
      {"```python\n# one region\n", "@triton.jit\ndef kernel(): pass\n```"},
      {"# plan\n\n", "x = 1  # no plan"},
  };
  for (const auto& [plan, code] : cases) {
    std::vector<std::int32_t> tokens = tokenizer.encode(plan);
    const auto planned = static_cast<std::int64_t>(tokens.size());
    const std::vector<std::int32_t> rest = tokenizer.encode(code);
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    EXPECT_EQ(plan_tokens(tokenizer, tokens), planned) << plan;
  }
  EXPECT_EQ(plan_tokens(tokenizer, tokenizer.encode("import torch  # no plan\n")), 0);
  EXPECT_EQ(plan_tokens(tokenizer, tokenizer.encode("# only a plan")), 0);
}

}  // namespace
}  // namespace tritonrl::rl
