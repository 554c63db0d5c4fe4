#pragma once

#include <vector>

#include "program/program.h"

namespace tritonrl::judge {

// Storages whose contents a step reads and writes, each once. A launch may do both to every tensor that it is given;
// allocations read nothing, fills what they fill with; views do neither.
struct StepAccess {
  std::vector<int> reads, writes;
};
StepAccess access_of(const program::Program& program, const program::Step& step);

// By storage: whether its contents may depend on inputs, of this forward or an earlier one, by the end of it; also by
// way of a number that Python asked for.
std::vector<bool> tainted_by_inputs(const program::Program& program, int forward);

// Whether a call is given a number that Python may have read from a tensor, unlike sizes and places.
bool has_fraction(const program::Step& step);

// Whether the last forward uses memory that an earlier one made.
bool needs_earlier(const program::Program& program);

}  // namespace tritonrl::judge
