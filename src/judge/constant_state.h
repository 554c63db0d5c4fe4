#pragma once

#include <cstdint>
#include <vector>

#include "judge/replay.h"
#include "program/program.h"
#include "runner/run_request.h"

namespace tritonrl::judge {

// The contents for a program's own tensors, where its constructor makes them (made_state.h): those of the same names;
// else of the same constant or made alike, of its state first; else the next of its state that no draw is part of. All
// of the same type and number of elements. What it has none for is `missing`.
struct DrawnState {
  std::vector<runner::DrawnTensor> drawn;
  std::vector<const GivenState*> missing;
};
DrawnState drawn_of(const program::Program& program, const std::vector<GivenState>& state);

// Other contents for all that is floating and happens to be what it is: every parameter that follows from no draw of
// its own, or whose draw is nearly one number; and buffers that are constants or numbers of the source. Other buffers
// (masks, tables) are the module's own doing: who computes them in another way is right. `values`: the state as
// initialised, in the order of Program::state.
std::vector<GivenState> other_state(const program::Program& program, const std::vector<runner::TensorData>& values,
                                    std::uint64_t seed);

// Of one that a candidate may honestly make in another way: nothing in its constructor need be found in its place.
bool replaceable(const GivenState& given);
// Neither structured nor drawn: whatever a reference does with it, it does with other numbers.
bool plain(const GivenState& given);

// Of all parameters together.
std::int64_t parameter_elements(const program::Program& program);

}  // namespace tritonrl::judge
