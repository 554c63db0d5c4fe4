#include "rl/advantages.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "tests/paths.h"
#include "tests/rl/answers.h"

namespace tritonrl::rl {
namespace {

using testing::group_of;
using testing::whats;
using Words = std::vector<std::string>;
using Rewards = std::vector<std::optional<double>>;

void expect_near(const Rewards& got, const Rewards& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].has_value(), expected[i].has_value()) << i;
    EXPECT_NEAR(got[i].value_or(0), expected[i].value_or(0), 1e-12) << i;
  }
}

// By hand: mean 0.5, deviation of 0.2, 0.5, 0.8 with n - 1 is 0.3.
TEST(Advantages, OfATableByHand) {
  const Rewards rewards{0.2, 0.5, 0.8};
  expect_near(group_advantages(rewards, AdvantageKind::kScaled), {-0.3 / 0.3001, 0.0, 0.3 / 0.3001});
  expect_near(group_advantages(rewards, AdvantageKind::kCentred), {-0.3, 0.0, 0.3});
  expect_near(group_advantages(rewards, AdvantageKind::kLeaveOneOut), {-0.45, 0.0, 0.45});
}

TEST(Advantages, WhatWasNotJudgedCountsForNothing) {
  expect_near(group_advantages(Rewards{0.2, std::nullopt, 0.8}, AdvantageKind::kCentred), {-0.3, std::nullopt, 0.3});
}

TEST(Advantages, WithoutSpreadThereAreNone) {
  const Rewards none(3);
  expect_near(group_advantages(Rewards{0.7, 0.7, 0.7}, AdvantageKind::kScaled), none);
  expect_near(group_advantages(Rewards{std::nullopt, 0.7, std::nullopt}, AdvantageKind::kScaled), none);
  expect_near(group_advantages(none, AdvantageKind::kCentred), none);
}

// TRL's formulae, as torch computes them (scripts/make_policy_goldens.py).
TEST(Advantages, AreThoseOfTrl) {
  const auto json = base::Json::try_parse(base::read_file(source_path("tests/rl/goldens/advantages.json")));
  ASSERT_TRUE(json);
  ASSERT_GE(json->size(), 10U);
  for (const base::Json& group : json->elements()) {
    const auto numbers = [&](const char* name) {
      Rewards out;
      for (const base::Json& each : group.at(name).elements()) out.emplace_back(each.real());
      return out;
    };
    expect_near(group_advantages(numbers("rewards"), AdvantageKind::kScaled), numbers("scaled"));
    expect_near(group_advantages(numbers("rewards"), AdvantageKind::kLeaveOneOut), numbers("leave_one_out"));
  }
}

TEST(Advantages, DecideWhatIsReinforced) {
  const Group group = group_of({{0.2}, {std::nullopt}, {0.8, "", 1, 10, record::FinishReason::kLength}});
  EXPECT_EQ(whats(reinforce(1, group, {})), (Words{"reinforced", "not_judged", "too_long"}));
  EXPECT_EQ(whats(reinforce(1, group, {.overlong = Overlong::kTrain})),
            (Words{"reinforced", "not_judged", "reinforced"}));
  EXPECT_EQ(whats(reinforce(1, group_of({{0.5}, {0.5}}), {})), (Words{"no_spread", "no_spread"}));
}

TEST(Advantages, PlanAndCodeEarnTheirOwn) {
  const Group group = group_of({{.reward = 0.9, .plan_reward = 1, .code_reward = 1},
                                {.reward = 0.7, .plan_reward = 3, .code_reward = 1},
                                {.reward = 0.3, .plan_reward = 2, .code_reward = 1}});
  const AdvantageOptions options{
      .advantage = AdvantageKind::kCentred, .reward = RewardKind::kPlanCode, .plan_weight = 0.1};
  const auto decisions = reinforce(1, group, options);
  EXPECT_EQ(whats(decisions), (Words{"reinforced", "reinforced", "reinforced"}));  // plans differ though codes do not
  for (const auto& [answer, plan] : {std::pair{0, -0.1}, {1, 0.1}, {2, 0.0}}) {
    EXPECT_NEAR(decisions[static_cast<std::size_t>(answer)].plan_weight, plan, 1e-12);
    EXPECT_EQ(decisions[static_cast<std::size_t>(answer)].weight, 0);
  }
}

TEST(Advantages, TokensCountAsTheOptionSays) {
  const track::Decision decision{.what = "reinforced", .weight = 2, .plan_weight = 0.5, .why = {}};
  using Floats = std::vector<float>;
  const AnswerSize size{.tokens = 4, .plan_tokens = 1};
  const auto weights = [&](TokenWeight kind) {
    return token_weights(decision, size, {.token_weight = kind}, 3, 24, 16);
  };
  EXPECT_EQ(weights(TokenWeight::kToken), (Floats{0.5, 2, 2, 2}));
  EXPECT_EQ(weights(TokenWeight::kAnswer), (Floats{1, 4, 4, 4}));       // 24 / 3 / 4
  EXPECT_EQ(weights(TokenWeight::kConstant), (Floats{0.25, 1, 1, 1}));  // 24 / 3 / 16
}

}  // namespace
}  // namespace tritonrl::rl
