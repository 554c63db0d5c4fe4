#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"

namespace tritonrl::program {

struct OperatorCount {
  std::string op;  // "aten::mm"
  OperatorKind kind = OperatorKind::kPointwise;
  int calls = 0;
  bool heavy = false;  // is_heavy(kind)
  bool operator==(const OperatorCount&) const = default;
};

// The computing operators of a forward pass (is_compute) with their calls, in order of first appearance.
std::vector<OperatorCount> operators_of(const Program& program, std::size_t forward = 0);

// How much there is to write, by the calls of a forward pass; the levels of KernelBench:
//   1  one operator, or what torch splits into a few light calls: a loss, a norm, an activation
//   2  a short fusion: up to two heavy calls and twelve in all, or several light operators one after another
//   3  an architecture: three or more heavy calls, a recurrent layer, a transformer block, or a long list of calls
// Bookkeeping on tensors of at most 16 elements does not count, nor does a triangular mask beside a heavy call.
struct LevelEstimate {
  int level = 1;
  std::vector<std::string> why;  // for people: what was counted, and the rule that decided
};
LevelEstimate level_of(const Program& program, std::size_t forward = 0);

}  // namespace tritonrl::program
