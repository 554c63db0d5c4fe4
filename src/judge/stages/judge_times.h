#pragma once

#include <vector>

#include "judge/trial.h"

namespace tritonrl::judge {

// Stage timing of a GPU's report, where it has times. `launches`: as the kernel machine executed them at the real
// sizes.
std::optional<Finding> judge_times(const Trial& trial, const runner::DeviceReport& report,
                                   const std::vector<runner::LaunchReport>& launches, const program::Program& real,
                                   TrialLog& log);

// What a run on the GPU that did not come to its end is.
record::VerdictKind kind_of(const runner::RunOutcome& outcome);

}  // namespace tritonrl::judge
