#pragma once

#include <vector>

#include "judge/task_case.h"

namespace tritonrl::judge {

// Makes a draw one of `parameters`: other state for the reference (constant_state.h), and the same for candidates that
// make some of it in another way. `values`: the state as initialised.
void give_other_state(Draw& draw, const program::Program& reference, const std::vector<runner::TensorData>& values);

// In the draw where the reference refuses other structured parameters constants alone are others, and nothing is
// expected of it yet. False: there is no such draw, or no such parameter in it.
bool keep_plain_state(std::vector<Draw>& draws);

// The draw and all that it holds for such candidates.
std::vector<Draw*> with_alternatives(Draw& draw);

}  // namespace tritonrl::judge
