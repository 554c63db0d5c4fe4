#include "text/prompt.h"

#include <gtest/gtest.h>

#include "text/extract_code.h"

namespace tritonrl::text {
namespace {

const PromptModule kModule{
    .code = "class Net:  # a net\n    pass\n", .normal = "class Net:\n    pass", .entry_point = "Net"};

TEST(Prompt, FullNamesTheClassAndShowsTheModule) {
  const std::string text = prompt(kModule, {});
  EXPECT_NE(text.find("```python\nclass Net:  # a net\n    pass\n```\n"), std::string::npos) << text;
  EXPECT_NE(text.find("`ModelNew`"), std::string::npos);
  EXPECT_NE(text.find("those of `Net`"), std::string::npos);
  EXPECT_EQ(text.find("plan"), std::string::npos);
  EXPECT_NE(prompt({.code = "x", .normal = "", .entry_point = ""}, {}).find("those of `Model`"), std::string::npos);
}

TEST(Prompt, ShortIsTheNormalisedModule) {
  const PromptOptions options{.form = PromptForm::kShort};
  EXPECT_EQ(prompt(kModule, options), "class Net:\n    pass\n");
  EXPECT_EQ(prompt({.code = "print 'x'\n\n", .normal = "", .entry_point = ""}, options), "print 'x'\n");
}

TEST(Prompt, PlanAsksForAPlan) {
  EXPECT_NE(prompt(kModule, {.form = PromptForm::kPlan}).find("`# plan:`"), std::string::npos);
}

TEST(Prompt, OneShotShowsAnExampleBefore) {
  const std::string text = prompt(kModule, {.one_shot = true});
  const std::size_t kernel = text.find("@triton.jit\ndef relu_bias_kernel");
  ASSERT_NE(kernel, std::string::npos) << text;
  EXPECT_LT(kernel, text.find("class Net"));
}

// A fence inside the module must not end the outer one.
TEST(Prompt, FencesAreLongEnough) {
  const std::string text = prompt({.code = "'''\n````\n'''\nx = 1", .normal = "", .entry_point = ""}, {});
  EXPECT_NE(text.find("`````python\n'''"), std::string::npos) << text;
}

TEST(Answer, IsWhatExtractionFinds) {
  const std::string code = "import triton\n\nclass ModelNew:\n    pass\n";
  EXPECT_EQ(answer(code, PromptForm::kShort), code);
  EXPECT_EQ(answer(code, PromptForm::kFull), "```python\n" + code + "```\n");
  const std::string planned = answer(code, PromptForm::kPlan, "# plan: one kernel\n");
  EXPECT_EQ(planned, "```python\n# plan: one kernel\n" + code + "```\n");
  for (const std::string& text : {answer(code, PromptForm::kFull), answer(code, PromptForm::kShort)}) {
    const auto extracted = extract_code(text);
    EXPECT_EQ(extracted.code, code) << text;
  }
}

}  // namespace
}  // namespace tritonrl::text
