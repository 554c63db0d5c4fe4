#pragma once

#include <string>
#include <vector>

#include "judge/task_case.h"

namespace tritonrl::judge {

// What is odd about the reference's outputs: all zero, all equal, NaN; one text each.
std::vector<std::string> degenerate_outputs(const Draw& draw);

// Why nothing that is compared tells one kernel from another: all outputs are the same, but for rounding, on every
// draw; or each element is, to the bit, on every draw of the same parameters. Empty: they are not.
std::string constant_answer(const SizedTask& task);

}  // namespace tritonrl::judge
