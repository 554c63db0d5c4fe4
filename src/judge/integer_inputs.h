#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

// Values that choose: yes and no, and two numbers, at other places; rows that count up from zero in another order; what
// is zero everywhere partly one. All else stays as it is, and floats do.
std::string chosen_anew(const runner::TensorData& data, std::uint64_t seed);

}  // namespace tritonrl::judge
