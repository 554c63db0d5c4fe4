#include "judge/reward.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

using record::Stage;
using record::VerdictKind;

record::Verdict rewarded(VerdictKind kind, Stage stage, double passed_checks, const std::string& rule = "",
                         std::optional<double> speedup = std::nullopt) {
  record::Verdict verdict;
  verdict.kind = kind;
  verdict.stage = stage;
  verdict.rule = rule;
  if (speedup) {
    verdict.timing.emplace();
    verdict.timing->speedup = *speedup;
  }
  give_reward(verdict, passed_checks, {});
  return verdict;
}

double reward(VerdictKind kind, Stage stage, double passed_checks, const std::string& rule = "") {
  return *rewarded(kind, stage, passed_checks, rule).reward;
}

TEST(Reward, IsTheLadder) {
  EXPECT_EQ(reward(VerdictKind::kNoCode, Stage::kExtract, 1), 0);
  EXPECT_EQ(reward(VerdictKind::kInvalid, Stage::kAst, 1), 0);
  EXPECT_EQ(reward(VerdictKind::kCompileError, Stage::kCompile, 0), 0);
  EXPECT_EQ(reward(VerdictKind::kWrong, Stage::kTiny, 0), 0.3);
  EXPECT_EQ(reward(VerdictKind::kWrong, Stage::kFull, 0), 0.5);
  EXPECT_DOUBLE_EQ(*rewarded(VerdictKind::kPassed, Stage::kTiming, 1, "", 1.0).reward, 0.85);
  EXPECT_DOUBLE_EQ(*rewarded(VerdictKind::kPassed, Stage::kTiming, 1, "", 5.0).reward, 1.0);
  EXPECT_DOUBLE_EQ(*rewarded(VerdictKind::kPassed, Stage::kFull, 1).reward, 0.7);
}

TEST(Reward, PassingMoreNeverPaysLess) {
  const std::vector<std::pair<Stage, VerdictKind>> rungs = {{Stage::kAst, VerdictKind::kInvalid},
                                                            {Stage::kCompile, VerdictKind::kCompileError},
                                                            {Stage::kTiny, VerdictKind::kWrong},
                                                            {Stage::kFull, VerdictKind::kCrashed},
                                                            {Stage::kTiming, VerdictKind::kPassed}};
  double last = -1;
  for (const auto& [stage, kind] : rungs) {
    for (const double part : {0.0, 0.25, 0.5, 1.0}) {
      const double now = reward(kind, stage, part);
      EXPECT_GE(now, last) << static_cast<int>(stage) << " " << part;
      last = now;
    }
  }
  EXPECT_LT(reward(VerdictKind::kCompileError, Stage::kCompile, 1), 0.3);
  EXPECT_LT(reward(VerdictKind::kWrong, Stage::kTiny, 1), 0.5);
  EXPECT_LT(reward(VerdictKind::kTimeout, Stage::kFull, 1), 0.7);
}

TEST(Reward, CheatsGetNothingAndOurFaultsAreNoReward) {
  EXPECT_EQ(reward(VerdictKind::kCheated, Stage::kFull, 1), 0);
  for (const VerdictKind nobodys : {VerdictKind::kInfrastructure, VerdictKind::kUnjudged}) {
    const record::Verdict verdict = rewarded(nobodys, Stage::kFull, 1);
    EXPECT_FALSE(verdict.reward);
    EXPECT_FALSE(verdict.plan_reward);
    EXPECT_FALSE(verdict.code_reward);
  }
  EXPECT_EQ(reward(VerdictKind::kCrashed, Stage::kTiny, 0.9, "not_executable"), 0.3) << "the last rung passed";
  EXPECT_EQ(reward(VerdictKind::kCompileError, Stage::kCompile, 0.9, "not_recordable"), 0);
}

TEST(Reward, PlanAndCodeComeFromTheSameVerdict) {
  const record::Verdict fast = rewarded(VerdictKind::kPassed, Stage::kTiming, 1, "", 7.0);
  EXPECT_EQ(fast.plan_reward, JudgeOptions{}.plan_speedup_cap);
  EXPECT_EQ(fast.code_reward, 1.0);
  const record::Verdict wrong = rewarded(VerdictKind::kWrong, Stage::kFull, 0.5, "", 7.0);
  EXPECT_EQ(wrong.plan_reward, 0.0);
  EXPECT_EQ(wrong.code_reward, 0.0);
  EXPECT_EQ(rewarded(VerdictKind::kCheated, Stage::kFull, 1, "", 7.0).plan_reward, 0.0);
}

}  // namespace
}  // namespace tritonrl::judge
