#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "teacher/reader/rewrite.h"

namespace tritonrl::teacher {

// What a model writes that acts by plans: which operators of a module are one kernel together, and how its programs
// share the work. The teacher writes the code (lower_plan.h).
//
//   # fused1 pointwise block=2048 warps=8
//   #   z = sigmoid(x)
//   #   _1 = relu(z)
//   #   add(_1, 1.5)
//   # fused2 rows form=several rows=8
//   #   softmax(z)
//
// A region is a line with its name and kind and the words of its schedule (kernels/schedule.h), and behind it a line
// for each operator, as the teacher's plans tell them (PlanForm::kLines). What is in no region stays in torch. The kind
// is for the reader alone.
struct PlannedRegion {
  std::string name = {};       // "fused1"
  std::string kind = {};       // "pointwise"
  Schedule schedule = {};      // canonical in what it does not say
  std::string operators = {};  // lines, without the last newline
};

std::string plan_text(std::span<const PlannedRegion> plan);
// The plan that a solution follows.
std::vector<PlannedRegion> plan_of(const Rewritten& solution);

// The plan that an answer begins with, or that stands in its first fence; what follows is not read. A failure names
// region and word.
base::Result<std::vector<PlannedRegion>> read_plan(std::string_view answer);

}  // namespace tritonrl::teacher
