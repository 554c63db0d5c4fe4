#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tritonrl::train {

// Puts sequences into at most `bins` bins of `capacity` tokens: longest first, each where the least room is left. The
// first `waiting` of them go before all others, so that none waits for ever. Gives a bin a sequence, or -1 where none
// had room. Equal input gives equal output on every machine.
std::vector<int> best_fit(std::span<const std::int64_t> lengths, std::size_t waiting, int bins, std::int64_t capacity);

}  // namespace tritonrl::train
