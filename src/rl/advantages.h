#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fields.h"
#include "rl/group.h"

namespace tritonrl::rl {

// How much better an answer is than the others to the same task.
enum class AdvantageKind : std::uint8_t {
  kScaled,       // (reward - mean) / (standard deviation + 1e-4), as GRPO has it
  kCentred,      // reward - mean: no bias towards tasks whose rewards hardly differ
  kLeaveOneOut,  // reward - mean of the others
};
std::span<const char* const> enum_names(AdvantageKind);

enum class RewardKind : std::uint8_t {
  kJoint,     // the ladder's reward for all tokens
  kPlanCode,  // plan tokens by valid * min(speed-up, cap), code tokens by valid * correct
};
std::span<const char* const> enum_names(RewardKind);

enum class Overlong : std::uint8_t {
  kMask,   // answers that ended at the limit count for their group's mean, and are not trained on
  kTrain,  // they are trained on like any other
};
std::span<const char* const> enum_names(Overlong);

enum class TokenWeight : std::uint8_t {
  kToken,     // all tokens of a step count alike
  kAnswer,    // all answers count alike, whatever their length
  kConstant,  // tokens are divided by the longest answer that may be: no bias towards long wrong answers
};
std::span<const char* const> enum_names(TokenWeight);

struct AdvantageOptions {
  AdvantageKind advantage = AdvantageKind::kScaled;
  RewardKind reward = RewardKind::kJoint;
  double plan_weight = 0.1;  // of plan tokens beside code tokens, where they are rewarded apart
  Overlong overlong = Overlong::kMask;
  TokenWeight token_weight = TokenWeight::kToken;

  void fields(base::FieldVisitor& field);
};

// Advantages of the rewards of one group; none for those that have no reward. All none where fewer than two have one or
// all are equal: there is nothing to learn from them.
std::vector<std::optional<double>> group_advantages(std::span<const std::optional<double>> rewards, AdvantageKind kind);

// A decision for each answer of the group, in their order: "reinforced" with its advantages, or "not_judged",
// "no_spread", "too_long".
std::vector<track::Decision> reinforce(std::int64_t round, const Group& group, const AdvantageOptions& options);

// What each token of an answer counts, plan tokens first. `answers` of the step have `tokens` in all, `longest` is the
// most that an answer may have.
struct AnswerSize {
  std::int64_t tokens = 0, plan_tokens = 0;
};
std::vector<float> token_weights(const track::Decision& decision, const AnswerSize& size,
                                 const AdvantageOptions& options, std::int64_t answers, std::int64_t tokens,
                                 std::int64_t longest);

}  // namespace tritonrl::rl
