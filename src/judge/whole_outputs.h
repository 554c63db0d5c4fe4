#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace tritonrl::judge {

// What an output of whole numbers is worth comparing where inputs are unusual.
enum class WholeOutput : std::uint8_t {
  kUnknown,  // not: where several are equal any of them may be chosen, as sorting does
  kChosen,   // a place or an answer, which is right or wrong; of equal ones the first is promised
  kRounded,  // a number that was rounded: one step beside it is as good
};

// By output of the program's first forward; kUnknown for those with fractions.
std::vector<WholeOutput> whole_outputs_of(const program::Program& program);

}  // namespace tritonrl::judge
