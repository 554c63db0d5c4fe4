#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rl/group.h"

namespace tritonrl::rl::testing {

// What a test says of an answer; no reward: it could not be judged.
struct Answer {
  std::optional<double> reward;
  std::string program = {};  // empty: one of its own
  double speedup = 1;
  std::int64_t tokens = 10;
  record::FinishReason finish = record::FinishReason::kStopToken;
  double plan_reward = 0, code_reward = 0;
};

// Answers of 0.7 and more are right.
inline Group group_of(const std::vector<Answer>& answers, int level = 1) {
  Group out{.place = 2, .task = "softmax", .level = level, .answers = {}};
  for (const Answer& answer : answers) {
    JudgedSample& each = out.answers.emplace_back();
    each.sample.sample.index = static_cast<int>(out.answers.size()) - 1;
    each.sample.sample.tokens.resize(static_cast<std::size_t>(answer.tokens));
    each.sample.sample.finish = answer.finish;
    each.sample.program =
        answer.program.empty() ? "program " + std::to_string(each.sample.sample.index) : answer.program;
    if (!answer.reward) continue;
    record::Verdict& verdict = each.verdict.emplace();
    verdict.reward = answer.reward;
    verdict.plan_reward = answer.plan_reward;
    verdict.code_reward = answer.code_reward;
    verdict.kind = *answer.reward >= 0.7 ? record::VerdictKind::kPassed : record::VerdictKind::kWrong;
    verdict.stage = *answer.reward >= 0.7 ? record::Stage::kTiming : record::Stage::kTiny;
    if (*answer.reward >= 0.7) verdict.timing.emplace().speedup = answer.speedup;
  }
  return out;
}

inline std::vector<std::string> whats(const std::vector<track::Decision>& decisions) {
  std::vector<std::string> out;
  for (const track::Decision& each : decisions) out.push_back(each.what);
  return out;
}

}  // namespace tritonrl::rl::testing
