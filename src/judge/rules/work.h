#pragma once

#include <array>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"
#include "program/work.h"

namespace tritonrl::judge {

// The operator of a step that computes; null: it is none.
const program::Operator* computing_operator(const program::Step& step);

// What torch's own calls do in the last forward: by kind, the work of each call that does some, largest first.
struct TorchWork {
  std::array<std::vector<double>, program::kWorkKinds> calls;
  std::array<double, program::kWorkKinds> hidden{};  // what these calls may stand for beside (program/work.h)

  const std::vector<double>& of(program::WorkKind kind) const { return calls[static_cast<std::size_t>(kind)]; }
  double sum(program::WorkKind kind) const;
  bool any_arithmetic() const;  // more than data that is moved
  bool any() const;
};
// `inputs_only`: calls on data that depends on no input (weights that are prepared anew) are left out.
TorchWork torch_work(const program::Program& program, bool inputs_only);

// Both programs by one measure: work that depends on no input counts where the reference has no other.
struct BothWorks {
  TorchWork reference, candidate;
};
BothWorks torch_works(const program::Program& reference, const program::Program& candidate);

// When torch counts as doing a call of the reference, and how much of the others it may do where kernels are said to
// have replaced them.
struct WorkMeasure {
  double same = 0.25;  // a call of torch's that does this part of one of the reference's does all of it: rows left over
  double rest = 0.5;   // of the calls that torch does not do, the part that smaller ones may make up: second passes
  double written = 4.0 / 3;  // a fused call does so much more than its shortest text: people spell it longer
  bool beside = true;  // what torch does more of other kinds counts as such a rest: it may be the kind in other clothes
};
// Whether torch does noticeably less of a kind than in the reference: rest + beside <= measure.rest * left.
bool replaces(const BothWorks& works, program::WorkKind kind, const WorkMeasure& measure);

}  // namespace tritonrl::judge
