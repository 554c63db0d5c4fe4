#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runner/run_outcome.h"

namespace tritonrl::judge {

// Benchmarks draw tame inputs: numbers of one size, alike in every row. These variations reach the regimes that tame
// ones hide (saturation, overflow, rows of other sizes), one a call of forward:
//   wide: around zero, up to tens and up to thousands; heavy tails, and one entry of thousandths
//   uneven: single large needles at secret places; rows that are constant or zero; long runs of other sizes and signs
bool is_regime(std::string_view variation);

// The tensor in the regime of that call. What carries structure keeps it: zeros stay zeros, integers, sorted and
// symmetric inputs and those of a few elements stay as they are; masks and constants, but in one call of `uneven`, in
// which they are drawn anew: who does not read them shows.
std::string in_regime(const runner::TensorData& data, std::string_view variation, int call, std::uint64_t seed);

// A mask or a label: few distinct values that mean something.
bool is_selector(const runner::TensorData& data);
// The mean of what is not zero.
double centre_of(const runner::TensorData& data);

}  // namespace tritonrl::judge
