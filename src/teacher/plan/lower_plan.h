#pragma once

#include <span>
#include <string_view>

#include "teacher/plan/plan.h"

namespace tritonrl::teacher {

// The module's solution that follows the plan: its regions and no others become kernels, by their schedules. Right by
// construction. A failure where the module has no such region in these words, or none that can have that schedule.
base::Result<Rewritten> lower_plan(const syntax::SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                                   std::span<const PlannedRegion> plan);

}  // namespace tritonrl::teacher
