#include "rl/best_of.h"

#include <gtest/gtest.h>

#include "tests/rl/answers.h"

namespace tritonrl::rl {
namespace {

using testing::group_of;
using testing::whats;
using Words = std::vector<std::string>;

TEST(BestOf, KeepsTheBestOfEachProgramAboveTheFloor) {
  const Group group = group_of({{0.9}, {0.4}, {1.0, "a"}, {std::nullopt}, {0.95, "a"}, {0.8}, {0.7}});
  EXPECT_EQ(whats(choose_best(1, group, {.keep_best = 3})),
            (Words{"kept", "below_floor", "kept", "not_judged", "duplicate", "kept", "not_top"}));
}

TEST(BestOf, TiesGoToTheFasterThenTheShorterThenTheFirst) {
  const std::string own;
  EXPECT_EQ(whats(choose_best(1, group_of({{1, own, 2}, {1, own, 3}}), {.keep_best = 1})), (Words{"not_top", "kept"}));
  EXPECT_EQ(whats(choose_best(1, group_of({{1, own, 2, 9}, {1, own, 2, 8}}), {.keep_best = 1})),
            (Words{"not_top", "kept"}));
  EXPECT_EQ(whats(choose_best(1, group_of({{1}, {1}}), {.keep_best = 1})), (Words{"kept", "not_top"}));
}

TEST(BestOf, AnotherFloorKeepsWhatIsNotRightYet) {
  EXPECT_EQ(whats(choose_best(1, group_of({{0.4}, {0.3}}), {.reward_floor = 0.35})), (Words{"kept", "below_floor"}));
}

TEST(BestOf, DecisionsNameTheirAnswer) {
  const auto decisions = choose_best(7, group_of({{0.9}, {0.1}}), {});
  EXPECT_EQ(decisions[1].key, (track::SampleKey{7, 2, 1}));
  EXPECT_EQ(decisions[0].weight, 1);
  EXPECT_EQ(decisions[1].weight, 0);
}

}  // namespace
}  // namespace tritonrl::rl
