#pragma once

#include <optional>

#include "judge/stages/base.h"

namespace tritonrl::judge {

// Runs that only some candidates need, of one that is right on all variations; `original` is its result on the task's
// own inputs. Launches that are tuned side by side may be given any configurations together: some combinations are
// tried. One that keeps memory from call to call, where the reference does not, is called many times more.
std::optional<Finding> judge_further(const Trial& trial, const Base& base, const DrawResult& original, TrialLog& log);

}  // namespace tritonrl::judge
