
#include "base/json.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using Extract = RunTritonrl;

constexpr const char* kCode =
    "import torch\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x\n";

TEST_F(Extract, PrintsTheCodeAndNothingElse) {
  const std::string answer = file("answer.md", "Here it is:\n```python\n" + std::string(kCode) + "```\nDone.\n");
  const base::CommandResult result = tritonrl({"extract", answer});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, kCode);
  EXPECT_EQ(result.errors.find("extracted: "), 0u) << result.errors;
  EXPECT_EQ(shell("\"$0\" extract - < \"$1\"", {answer}).output, kCode);
}

TEST_F(Extract, SaysWhyThereIsNothing) {
  const std::string answer = file("answer.md", "I would rather not.\n");
  const base::CommandResult result = tritonrl({"extract", answer});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(lines_of(result.errors).size(), 1u);
  EXPECT_EQ(result.errors.find("nothing extracted: no "), 0u) << result.errors;
}

TEST_F(Extract, Json) {
  const std::string answer = file("answer.md", "```python\n" + std::string(kCode) + "```\n");
  const base::CommandResult found = tritonrl({"extract", answer, "--json"});
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_EQ(found.errors, "");
  const auto json = base::Json::parse(found.output);
  EXPECT_EQ(json["found"], true);
  EXPECT_EQ(json["code"], kCode);
  EXPECT_NE(json["reason"], "");

  const base::CommandResult nothing = tritonrl({"extract", file("empty.md", "\xff\xfe\x80"), "--json"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_EQ(base::Json::parse(nothing.output)["found"], false);
}

TEST_F(Extract, AnotherEntryPoint) {
  const std::string answer =
      file("answer.md",
           "```python\nclass Softmax(torch.nn.Module):\n    def forward(self, x):\n        return x\n```\n"
           "and a test\n```python\nprint(Softmax()(x))\n```\n");
  const base::CommandResult result = tritonrl({"extract", answer, "--entry", "Softmax"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "class Softmax")) << result.output;
}

}  // namespace
}  // namespace tritonrl::cli
