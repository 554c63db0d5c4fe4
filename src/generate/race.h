#pragma once

#include <cstdint>
#include <span>

#include "generate/draws.h"

namespace tritonrl::generate {

// A draw from the weights, which need not sum to 1: the token that arrives first (see draws.h). 0 if none has a weight.
std::int64_t first_to_arrive(std::span<const float> weights, DrawKey key);
// The same among these tokens alone.
std::int64_t first_to_arrive(std::span<const std::int32_t> tokens, std::span<const float> weights, DrawKey key);

}  // namespace tritonrl::generate
