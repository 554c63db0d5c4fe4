#pragma once

#include "judge/stages/base.h"

namespace tritonrl::judge {

// Programs of each launch where a look is enough, and the longest that such a look takes.
inline constexpr std::int64_t kFewSampled = 8, kFewSampledMs = 3000;

// How to execute `sample` secret programs of each launch of a configuration, at any size; nothing is compared.
runner::RunRequest sample_request(const Trial& trial, const SizedCandidate& candidate, int variant,
                                  std::int64_t sample);

// A few of the first configuration, quickly.
runner::RunOutcome run_sample(const Trial& trial, const SizedCandidate& candidate);

}  // namespace tritonrl::judge
