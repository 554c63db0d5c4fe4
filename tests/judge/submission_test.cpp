#include <gtest/gtest.h>

#include "judge/scripted_judge.h"

namespace tritonrl::judge {
namespace {

const std::string kCode = "class ModelNew:\n    def forward(self, x):\n        return x\n";

TEST(Submission, AnAnswerIsItsCode) {
  Submission one;
  one.take_answer("Here it is:\n```python\n" + kCode + "```\n");
  EXPECT_EQ(one.code, kCode);
  ASSERT_TRUE(one.extraction);
  EXPECT_FALSE(one.extraction->empty());
}

TEST(Submission, AnAnswerWithoutCodeSaysWhy) {
  Submission one;
  one.take_answer("I would rather not.");
  EXPECT_EQ(one.code, "");
  ASSERT_TRUE(one.extraction);
  EXPECT_FALSE(one.extraction->empty());
}

TEST(Submission, AnEmptyAnswerIsNoAnswer) {
  Submission one;
  one.code = kCode;
  one.take_answer("");
  EXPECT_EQ(one.code, "");
  EXPECT_FALSE(one.extraction);
}

// The answer is looked at once, by whoever reads it: a judge behind others has the code before it.
TEST(Submission, TheJudgeGetsWhatWasExtracted) {
  std::string seen;
  ScriptedJudge judge([&](const Submission& one) {
    seen = one.code;
    return record::Verdict{};
  });
  Submission one;
  one.take_answer("```python\n" + kCode + "```\n");
  judge.judge(one);
  EXPECT_EQ(seen, kCode);
}

}  // namespace
}  // namespace tritonrl::judge
