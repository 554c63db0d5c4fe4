#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/input_uses.h"
#include "program/program.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// Inputs of whole numbers and of yes and no are as tame as others: masks that are always the same, positions that count
// up, kinds that are all zero, numbers that are never negative. Who does not read them, or reads them carelessly, shows
// where they are others.

// By input of the program's first forward: integers that are computed with alone, and choose no place and no size.
std::vector<bool> only_computed_with(const program::Program& program);

// Some of the elements with the other sign. Types without one stay as they are.
std::string with_signs(const runner::TensorData& data, std::uint64_t seed);

// Other values that are valid for its use. Yes and no, and two numbers, come at other places; rows that count up from
// zero in another order; what is zero everywhere is partly one; places that are few, always the same or each named once
// are others, and come more than once where what comes to one place is added up; lengths that are all alike, or few,
// are others from one on. All else stays as it is, and floats do. `careful`: flags and pairs of numbers change in one
// direction alone, so that no row of a mask is closed that was open; which one follows from the seed's last bit.
std::string chosen_anew(const runner::TensorData& data, std::uint64_t seed, const InputUse& use = {},
                        bool careful = false);

}  // namespace tritonrl::judge
