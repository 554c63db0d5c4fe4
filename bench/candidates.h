#pragma once

#include <string>
#include <vector>

#include "judge/judge.h"

namespace tritonrl::bench {

// Candidates for a judge, all kernels distinct: `family` is "pointwise", "row", "dot" or "convolution". Of each five,
// three are right, one computes something else, and one cannot pass by its form (in turn: syntax, a kernel that does
// not compile, torch plus a kernel that copies). Sizes are those of real tasks.
std::vector<judge::Submission> make_candidates(const std::string& family, int count);

}  // namespace tritonrl::bench
