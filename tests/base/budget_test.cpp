#include "base/budget.h"

#include <gtest/gtest.h>

namespace tritonrl::base {
namespace {

TEST(Budget, WithoutLimitsEverythingIsAsWanted) {
  const Budget none;
  EXPECT_FALSE(none.over());
  EXPECT_EQ(none.at_most(5), 5);
  EXPECT_EQ(none.memory_at_most(1 << 30), 1 << 30);
  EXPECT_EQ(none.beside_another().memory_at_most(7), 7);
}

TEST(Budget, TimeRunsOut) {
  EXPECT_TRUE(Budget::of(0).over());
  EXPECT_EQ(Budget::of(0).at_most(100), 1) << "at least one: none would be no limit";
  const Budget hour = Budget::of(3'600'000);
  EXPECT_FALSE(hour.over());
  EXPECT_EQ(hour.at_most(100), 100);
  EXPECT_GT(hour.at_most(7'200'000), 3'000'000);
  EXPECT_LE(hour.at_most(7'200'000), 3'600'000);
}

TEST(Budget, MemoryIsHalvedBesideAnother) {
  const Budget budget = Budget::of(1000, 101);
  EXPECT_EQ(budget.memory_at_most(1000), 101);
  EXPECT_EQ(budget.memory_at_most(10), 10);
  EXPECT_EQ(budget.beside_another().memory_at_most(1000), 51);
  EXPECT_EQ(Budget::of(1000, 1).beside_another().memory_at_most(1000), 1) << "none would be no limit";
  EXPECT_EQ(Budget::of(1000).memory_at_most(1000), 1000);
}

TEST(Budget, PatienceMakesEveryLimitLonger) {
  EXPECT_EQ(Budget().patient(10), 10);
  const Budget patient = Budget::of(3'600'000, 0, 4);
  EXPECT_EQ(patient.patient(10), 40);
  EXPECT_GT(patient.at_most(14'400'000), 14'000'000);
  EXPECT_EQ(patient.beside_another().patient(10), 40);
}

TEST(Budget, CopiesShareWhatIsNoted) {
  const Budget budget = Budget::of(1000), other = Budget::of(1000);
  budget.beside_another().note_starved();
  EXPECT_TRUE(budget.starved());
  EXPECT_FALSE(other.starved());
}

TEST(Budget, WhoHadNoTimeIsNotSaidToBeLate) {
  EXPECT_EQ(no_answer_within(2000), "no answer within 2000 ms");
  EXPECT_EQ(no_answer_within(Budget::of(0).at_most(2000)), "no time was left: what came before took all of it");
}

}  // namespace
}  // namespace tritonrl::base
