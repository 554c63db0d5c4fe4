#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tritonrl::machine {

// Which programs of a grid to execute, by number (x fastest), ascending. `wanted` 0 or at least as many as there are:
// all. Else the first and the last along every axis, and others at even distances with a little jitter, so that a
// pattern of the grid does not hide from the sample. Another seed takes others between the corners.
std::vector<std::int64_t> sample_programs(std::array<std::int64_t, 3> grid, std::int64_t wanted,
                                          std::uint64_t seed = 0);

}  // namespace tritonrl::machine
