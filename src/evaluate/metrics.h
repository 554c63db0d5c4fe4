#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "evaluate/sample_result.h"
#include "record/evaluation.h"

namespace tritonrl::evaluate {

using record::TaskResult, record::by_task;

// Figures of some tasks, as docs/evaluation.md lists them: rates of tasks by their first answer, pass@k by their
// samples, speed-ups of right answers, counts of what became of answers. Answers that could not be judged count for
// nothing; `not_judged` says how many tasks have such a first answer, `unjudged` how many of them because no answer to
// the task can be judged here.
base::Json metrics_of(std::span<const TaskResult> tasks);

// The same of all tasks but degenerate ones, with `per_level`, `degenerate` and `with_degenerate` of theirs.
base::Json evaluation_metrics(std::span<const SampleResult> results);

// "modelled", "measured", "mixed" or "none": where the speed-ups come from.
std::string timing_of(std::span<const SampleResult> results);

}  // namespace tritonrl::evaluate
