#pragma once

#include <vector>

#include "program/program.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// How much a candidate computes in its last forward, kernels by what they executed and torch's products, as a part of
// the operations of the reference's products; 0: the reference has none. A tile beyond the edge counts in full, so that
// it is above one for most.
double part_of_products(const program::Program& reference, const program::Program& candidate,
                        const std::vector<runner::LaunchReport>& launches);

}  // namespace tritonrl::judge
