#pragma once

#include <optional>
#include <vector>

#include "program/program.h"
#include "program/target.h"
#include "runner/device.h"
#include "runner/run_outcome.h"

namespace tritonrl::judge {

// Part of the floor below which a measured time is not believed: the floor's own figures are measured and sampled.
inline constexpr double kBelievable = 0.6;

// Microseconds that the last forward takes at least on that GPU, whatever its cleverness: what it returns has to be
// written (but for what fits the L2 cache), and the matrix products that its own kernels ask for have to be computed.
// What is read is left out: a clever kernel may need less of its inputs than the reference. `launches`: executed by the
// kernel machine at the real sizes; several variants of one launch may be among them. None: the GPU's figures are not
// known.
std::optional<double> floor_us(const program::Program& program, const std::vector<runner::LaunchReport>& launches,
                               const runner::DeviceFacts& gpu, const program::Target& target);

}  // namespace tritonrl::judge
