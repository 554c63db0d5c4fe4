#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/replay.h"
#include "program/program.h"
#include "runner/run_request.h"

namespace tritonrl::judge {

// Where a constructor gives a tensor of the state a constant (ones, zeros, full, or numbers of the source): the step of
// Program::initialise, and the tensor that it fills. The tensor's copies and moves since are followed back.
struct ConstantFill {
  int step = 0;
  program::TensorRef tensor;
  bool literal = false;  // the step copies numbers of the source
};
std::optional<ConstantFill> constant_fill(const program::Program& program, const program::NamedTensor& state);

// The contents for a program's own tensors, at its own fills: those of the same names; else the next of its state, and
// then of all that its constructor fills, with the same type, number of elements and constant. What it has none for is
// `missing`.
struct DrawnState {
  std::vector<runner::DrawnTensor> drawn;
  std::vector<const GivenState*> missing;
};
DrawnState drawn_of(const program::Program& program, const std::vector<GivenState>& state);

// Other contents near the constant, for every floating constant of the state. `values`: the state as initialised, in
// the order of Program::state.
std::vector<GivenState> other_constants(const program::Program& program, const std::vector<runner::TensorData>& values,
                                        std::uint64_t seed);

}  // namespace tritonrl::judge
