#pragma once

#include "judge/options.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// The ladder: passing more never pays less.
inline constexpr double kCompiledReward = 0.3, kTinyReward = 0.5, kFullReward = 0.7, kTimedReward = 0.3;
inline constexpr double kFullSpeedup = 2;  // the speed-up that earns all of kTimedReward

// Fills in reward, plan_reward and code_reward from the rest of the verdict. `passed_checks`: part of the failed
// stage's checks that passed, in [0, 1]; it earns the same part of the stage's rung, all of which is for those who
// pass. Nothing is given where nothing was judged.
void give_reward(record::Verdict& verdict, double passed_checks, const JudgeOptions& options);

}  // namespace tritonrl::judge
