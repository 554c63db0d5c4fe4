#include "rl/summary.h"

#include <gtest/gtest.h>

#include "rl/best_of.h"
#include "tests/rl/answers.h"

namespace tritonrl::rl {
namespace {

using testing::group_of;

TEST(Summary, CountsWhatAnswersWere) {
  Group group = group_of({{1.0, "a"}, {0.9, "a"}, {0.4}, {std::nullopt}, {0.0}});
  group.answers[4].verdict->kind = record::VerdictKind::kCheated;
  group.answers[4].verdict->rule = "work";
  const std::vector<Group> groups = {group, group_of({{0.7}}, 2)};
  const track::Numbers numbers = summary_of(groups);
  EXPECT_DOUBLE_EQ(numbers.at("reward_mean"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(numbers.at("correct_rate"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(numbers.at("correct_level1"), 2.0 / 4);
  EXPECT_DOUBLE_EQ(numbers.at("correct_level2"), 1);
  EXPECT_DOUBLE_EQ(numbers.at("valid_rate"), 4.0 / 5);
  EXPECT_DOUBLE_EQ(numbers.at("kind/cheated"), 1);
  EXPECT_DOUBLE_EQ(numbers.at("rule/work"), 1);
  EXPECT_DOUBLE_EQ(numbers.at("not_judged"), 1);
  EXPECT_DOUBLE_EQ(numbers.at("distinct_programs"), (4 + 1) / 2.0);
  EXPECT_DOUBLE_EQ(numbers.at("distinct_correct_programs"), 1);
}

TEST(Summary, ListsTheOddestWinners) {
  std::vector<Group> groups = {group_of({{1, "", 1}, {1, "", 1.1}, {1, "", 9}, {1, "", 1.2}, {0.3}})};
  groups[0].answers[1].verdict->work_share = 0.1;
  groups[0].answers[3].verdict->sizes = "own";
  std::vector<track::Decision> decisions = choose_best(1, groups[0], {.keep_best = 5});
  const std::vector<std::string> lines = mark_suspects(groups, decisions, 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("answer 2: 9.00 times as fast"), std::string::npos) << lines[0];
  EXPECT_TRUE(decisions[2].suspicious);
  EXPECT_FALSE(decisions[0].suspicious);
  EXPECT_FALSE(decisions[4].suspicious);
}

}  // namespace
}  // namespace tritonrl::rl
