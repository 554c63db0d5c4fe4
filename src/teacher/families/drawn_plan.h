#pragma once

#include <cstdint>
#include <string_view>

#include "teacher/facts/facts.h"
#include "teacher/reader/rewrite.h"

namespace tritonrl::teacher {

// The module's solution by another plan (plan/plan.h): some regions are two, and schedules are drawn. For who shall
// learn that there is a choice. What no draw can change stays as it is.
Rewritten with_drawn_plan(const syntax::SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                          Rewritten solution, std::uint64_t seed);

}  // namespace tritonrl::teacher
