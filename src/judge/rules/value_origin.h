#pragma once

#include <vector>

#include "program/program.h"

namespace tritonrl::judge {

// By storage, at the end of a forward: whether its numbers follow from inputs, and whether from floats among them.
struct ValueOrigins {
  std::vector<bool> inputs;   // tainted_by_inputs
  std::vector<bool> floats;   // from floats that depend on inputs, in any way
  std::vector<bool> rounded;  // from such floats, each from the one of its place: casts, plain arithmetic, views
};
ValueOrigins origins_of(const program::Program& program, int forward);

// x.long() picks from a table: a function of a float by its values, not a rearrangement. Places that come as inputs, or
// that a sort or a kernel found in data that is then picked from, are none.
bool looks_up_function(const program::Program& program, const program::AtenCall& call, const ValueOrigins& origins);

}  // namespace tritonrl::judge
