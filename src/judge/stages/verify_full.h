#pragma once

#include <optional>
#include <set>
#include <vector>

#include "judge/stages/base.h"
#include "judge/stages/verify_tiny.h"

namespace tritonrl::judge {

// What is known of a candidate's results, right or wrong.
struct Full {
  std::optional<Finding> wrong = std::nullopt;      // none: right on all that was tried
  SizedCandidate real;                              // at the task's own sizes
  Base base = {};                                   // where values were judged
  std::set<int> variants = {};                      // autotune configurations that were right
  std::vector<runner::StepPlace> counted = {};      // launches of the base's last forward that do work
  std::vector<runner::LaunchReport> launches = {};  // executed at the real sizes, in part
  bool time_in_doubt = false;                       // RealSizes::time_in_doubt
};

// Stage full: right on every variation that applies, the kernels are the cause, and what was verified holds at the real
// sizes. `verified`: at the tiny ones.
Full verify_full(const Trial& trial, Compiled compiled, Verified verified, TrialLog& log);

}  // namespace tritonrl::judge
