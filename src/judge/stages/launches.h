#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "judge/rules/launch_standing.h"
#include "judge/run_batch.h"
#include "judge/stages/base.h"

namespace tritonrl::judge {

// Whether the kernels are the cause of the result: each launch of the base's last forward run alone, and the forward
// run without it.
struct LaunchRuns {
  std::map<std::string, std::vector<runner::RunOutcome>> alone;  // of launches that differ in more than their tensors
  std::map<runner::StepPlace, std::vector<std::pair<const Draw*, runner::RunOutcome>>> silenced;
  bool earlier_matter = true;     // to the last forward: it uses what those before it left
  runner::RunOutcome last_alone;  // without them
};

// Adds these runs to a batch, which fills `out` (it must live until then).
void plan_launches(const Trial& trial, const Base& base, RunBatch& batch, LaunchRuns* out);

// What each launch counts for; further runs are made where those do not tell.
std::vector<LaunchStanding> standings_of(const Trial& trial, const Base& base, LaunchRuns runs,
                                         const program::Program& real, TrialLog& log);

}  // namespace tritonrl::judge
