#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/generator.h"

namespace tritonrl::generate {

bool filters(const SamplingOptions& options);

// The tokens that top-k, top-p and min-p leave of a row, in the order of ids: those to which filtered_weights() gives a
// weight. `scores` rank the tokens, `weights` are their softmax. Empty only if the scores are no numbers.
std::vector<std::int32_t> kept_tokens(std::span<const float> scores, std::span<const float> weights,
                                      const SamplingOptions& options);

}  // namespace tritonrl::generate
