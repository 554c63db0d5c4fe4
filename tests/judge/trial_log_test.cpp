#include "judge/trial_log.h"

#include <gtest/gtest.h>

#include "judge/reward.h"

namespace tritonrl::judge {
namespace {

using record::Stage;
using record::VerdictKind;

class TrialLogTest : public ::testing::Test {
 protected:
  JudgeOptions options_;
  TrialLog log_{options_, "cpu"};
};

TEST_F(TrialLogTest, APartOfTheLastStagesChecksEarnsThatPartOfItsRung) {
  log_.enter(Stage::kCompile);
  log_.passed("recorded");
  log_.enter(Stage::kTiny);  // checks of an earlier stage no longer count
  log_.passed("tiny sizes accepted");
  const Finding wrong = log_.refuse({VerdictKind::kWrong, "", {.message = "another value"}});
  const record::Verdict verdict = std::move(log_).end(wrong);
  EXPECT_NEAR(*verdict.reward, kCompiledReward + 0.5 * (kTinyReward - kCompiledReward), 1e-3);
  for (const char* stage : {"extract", "compile", "tiny"}) EXPECT_TRUE(verdict.ms.contains(stage)) << stage;
}

TEST_F(TrialLogTest, AFindingsLineIsShown) {
  log_.recorded({{"task.py", "class Model: pass\n"}, {"mine.py", "import triton\n  y = relu(x)  \n"}});
  const Finding finding{VerdictKind::kCheated, "work", {.message = "torch", .line = {1, 2}, .advice = "do it"}};
  const record::Verdict verdict = std::move(log_).end(finding);
  EXPECT_EQ(verdict.at, (record::SourcePlace{"mine.py", 2, "y = relu(x)"}));
  EXPECT_EQ(verdict.rule, "work");
  EXPECT_EQ(verdict.advice, "do it");
  EXPECT_EQ(verdict.reward, 0.0);
}

TEST_F(TrialLogTest, TheSameCheckIsOneLineAndAFailureWithoutARuleHasTheStagesName) {
  log_.enter(Stage::kFull);
  log_.passed("work");
  log_.passed("work");
  log_.refuse({VerdictKind::kWrong, "", {.message = "another value"}});
  const std::vector<record::CheckResult> expected = {{"work", true, ""}, {"full", false, "another value"}};
  EXPECT_EQ(log_.told.checks, expected);
}

}  // namespace
}  // namespace tritonrl::judge
