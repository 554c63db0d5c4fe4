#include "rl/advantages.h"

#include <algorithm>
#include <cmath>

namespace tritonrl::rl {
namespace {

constexpr double kLeastDeviation = 1e-4;  // as TRL adds it

}  // namespace

std::span<const char* const> enum_names(AdvantageKind) {
  static constexpr const char* kNames[] = {"scaled", "centred", "leave_one_out"};
  return kNames;
}

std::span<const char* const> enum_names(RewardKind) {
  static constexpr const char* kNames[] = {"joint", "plan_code"};
  return kNames;
}

std::span<const char* const> enum_names(Overlong) {
  static constexpr const char* kNames[] = {"mask", "train"};
  return kNames;
}

std::span<const char* const> enum_names(TokenWeight) {
  static constexpr const char* kNames[] = {"token", "answer", "constant"};
  return kNames;
}

void AdvantageOptions::fields(base::FieldVisitor& field) {
  field("advantage", advantage,
        {.help = "scaled: by the group's mean and deviation; centred: by its mean alone; leave_one_out: by the mean of "
                 "the others"});
  field("reward", reward,
        {.help = "joint: one reward for all tokens; plan_code: the plan's tokens by speed, the code's by correctness"});
  field("plan_weight", plan_weight, {.help = "of plan tokens, where they are rewarded apart", .least = 0});
  field("overlong", overlong, {.help = "answers that ended at --max-new-tokens: mask (not trained on) or train"});
  field("token_weight", token_weight,
        {.help = "token: all tokens of a step count alike; answer: all answers do; constant: tokens are divided by "
                 "--max-new-tokens"});
}

std::vector<std::optional<double>> group_advantages(std::span<const std::optional<double>> rewards,
                                                    AdvantageKind kind) {
  std::vector<std::optional<double>> out(rewards.size());
  double sum = 0, least = 0, most = 0;
  std::int64_t count = 0;
  for (const std::optional<double>& reward : rewards) {
    if (!reward) continue;
    least = count == 0 ? *reward : std::min(least, *reward);
    most = count == 0 ? *reward : std::max(most, *reward);
    sum += *reward;
    ++count;
  }
  if (count < 2 || least == most) return out;
  const double mean = sum / static_cast<double>(count);
  double squares = 0;
  for (const std::optional<double>& reward : rewards) squares += reward ? (*reward - mean) * (*reward - mean) : 0;
  const double deviation = std::sqrt(squares / static_cast<double>(count - 1));
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (!rewards[i]) continue;
    const double centred = *rewards[i] - mean;
    switch (kind) {
      case AdvantageKind::kScaled:
        out[i] = centred / (deviation + kLeastDeviation);
        break;
      case AdvantageKind::kCentred:
        out[i] = centred;
        break;
      case AdvantageKind::kLeaveOneOut:
        out[i] = *rewards[i] - (sum - *rewards[i]) / static_cast<double>(count - 1);
        break;
    }
  }
  return out;
}

std::vector<track::Decision> reinforce(std::int64_t round, const Group& group, const AdvantageOptions& options) {
  const bool apart = options.reward == RewardKind::kPlanCode;
  std::vector<std::optional<double>> rewards, plan_rewards;
  for (const JudgedSample& answer : group.answers) {
    const bool judged = answer.judged();
    rewards.push_back(!judged ? std::nullopt : apart ? answer.verdict->code_reward : answer.verdict->reward);
    plan_rewards.push_back(judged && apart ? answer.verdict->plan_reward : std::nullopt);
  }
  const std::vector<std::optional<double>> advantages = group_advantages(rewards, options.advantage);
  const std::vector<std::optional<double>> of_plans = group_advantages(plan_rewards, options.advantage);
  std::vector<track::Decision> out;
  for (std::size_t i = 0; i < group.answers.size(); ++i) {
    const JudgedSample& answer = group.answers[i];
    track::Decision& decision = out.emplace_back();
    decision.key = {round, group.place, answer.sample.sample.index};
    const double weight = advantages[i].value_or(0);
    const double plan_weight = apart ? options.plan_weight * of_plans[i].value_or(0) : weight;
    if (!answer.judged()) {
      decision.what = "not_judged";
    } else if (!advantages[i] && !of_plans[i]) {
      decision.what = "no_spread";
    } else if (options.overlong == Overlong::kMask && answer.sample.sample.finish == record::FinishReason::kLength) {
      decision.what = "too_long";
    } else {
      decision.what = "reinforced";
      decision.weight = weight;
      decision.plan_weight = plan_weight;
    }
  }
  return out;
}

std::vector<float> token_weights(const track::Decision& decision, const AnswerSize& size,
                                 const AdvantageOptions& options, std::int64_t answers, std::int64_t tokens,
                                 std::int64_t longest) {
  // the step divides by its tokens; what is to be divided by something else is multiplied by them here
  double scale = 1;
  if (options.token_weight == TokenWeight::kAnswer)
    scale = static_cast<double>(tokens) / static_cast<double>(answers) / static_cast<double>(size.tokens);
  if (options.token_weight == TokenWeight::kConstant)
    scale = static_cast<double>(tokens) / static_cast<double>(answers) / static_cast<double>(longest);
  std::vector<float> out(static_cast<std::size_t>(size.tokens), static_cast<float>(decision.weight * scale));
  std::fill_n(out.begin(), size.plan_tokens, static_cast<float>(decision.plan_weight * scale));
  return out;
}

}  // namespace tritonrl::rl
