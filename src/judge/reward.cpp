#include "judge/reward.h"

#include <algorithm>

#include "judge/rules/names.h"

namespace tritonrl::judge {
namespace {

using record::Stage;
using record::VerdictKind;

// Below the next rung however many checks passed.
constexpr double kMostOfRung = 0.999;

double ladder(const record::Verdict& verdict, double passed_checks) {
  if (verdict.kind == VerdictKind::kPassed) {
    const double speedup = verdict.timing ? std::max(0.0, verdict.timing->speedup) : 0;
    return kFullReward + kTimedReward * std::min(speedup / kFullSpeedup, 1.0);
  }
  if (verdict.kind == VerdictKind::kCheated || verdict.kind == VerdictKind::kInvalid ||
      verdict.kind == VerdictKind::kNoCode)
    return 0;
  // what we cannot record or execute earns the last rung passed, and no part of the next
  const bool ours = verdict.rule == rules::kNotRecordable || verdict.rule == rules::kNotExecutable;
  const double part = ours ? 0 : std::clamp(passed_checks, 0.0, 1.0) * kMostOfRung;
  switch (verdict.stage) {
    case Stage::kExtract:
    case Stage::kAst:
      return 0;
    case Stage::kCompile:
      return part * kCompiledReward;
    case Stage::kTiny:
      return kCompiledReward + part * (kTinyReward - kCompiledReward);
    case Stage::kFull:
      return kTinyReward + part * (kFullReward - kTinyReward);
    case Stage::kTiming:
      return kFullReward;
  }
  return 0;
}

}  // namespace

void give_reward(record::Verdict& verdict, double passed_checks, const JudgeOptions& options) {
  if (!is_judged(verdict.kind)) {
    verdict.reward = verdict.plan_reward = verdict.code_reward = std::nullopt;
    return;
  }
  verdict.reward = ladder(verdict, passed_checks);
  const bool valid = verdict.kind != VerdictKind::kNoCode && verdict.kind != VerdictKind::kInvalid &&
                     verdict.kind != VerdictKind::kCheated;
  const bool correct = verdict.kind == VerdictKind::kPassed;
  const double speedup = correct && verdict.timing ? std::max(0.0, verdict.timing->speedup) : 0;
  verdict.plan_reward = valid ? std::min(speedup, options.plan_speedup_cap) : 0;
  verdict.code_reward = valid && correct ? 1 : 0;
  if (!options.weigh_by_work || !correct || !verdict.work_share) return;
  // a file that compiles has earned that; what torch did for it earns nothing
  const double share = std::clamp(*verdict.work_share, 0.0, 1.0);
  verdict.reward = kCompiledReward + (*verdict.reward - kCompiledReward) * share;
  *verdict.plan_reward *= share;
  *verdict.code_reward *= share;
}

}  // namespace tritonrl::judge
