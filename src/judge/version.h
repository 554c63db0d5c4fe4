#pragma once

#include <string>

namespace tritonrl::judge {

// Changes whenever equal submissions may get other verdicts than before: part of every verdict and of the cache's keys.
std::string judge_version();

}  // namespace tritonrl::judge
