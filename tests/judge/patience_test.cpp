// Whoever was late because the machine was busy gets another chance, once.
#include "judge/patience.h"

#include <gtest/gtest.h>

#include <vector>

namespace tritonrl::judge {
namespace {

using record::VerdictKind;

Tried late(bool starved) {
  Tried out;
  out.verdict.kind = VerdictKind::kTimeout;
  out.starved = starved;
  return out;
}

TEST(Patience, TheStarvedAreJudgedAgainWithMoreTime) {
  std::vector<int> patience;
  const record::Verdict verdict = judged_patiently([&](int times) {
    patience.push_back(times);
    Tried out = late(true);
    if (patience.size() == 2) out.verdict.kind = VerdictKind::kPassed;
    return out;
  });
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed);
  EXPECT_EQ(patience, (std::vector<int>{1, kPatience}));
}

TEST(Patience, OthersAreNot) {
  int tries = 0;
  EXPECT_EQ(judged_patiently([&](int) { return ++tries, late(false); }).kind, VerdictKind::kTimeout);
  EXPECT_EQ(tries, 1);
  Tried wrong = late(true);
  wrong.verdict.kind = VerdictKind::kWrong;  // what was found in spite of the delay holds
  EXPECT_EQ(judged_patiently([&](int) { return ++tries, wrong; }).kind, VerdictKind::kWrong);
  EXPECT_EQ(tries, 2);
}

TEST(Patience, StarvedTwiceIsTheMachinesFault) {
  EXPECT_THROW(judged_patiently([](int) { return late(true); }), base::InfrastructureError);
}

}  // namespace
}  // namespace tritonrl::judge
