#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "runner/device/device_space.h"
#include "runner/device/held_program.h"

namespace tritonrl::runner {

struct DeviceTimingOptions {
  int warmup = 10, trials = 50;
  std::int64_t budget_ms = 1500;  // for all of it; fewer trials where they would take longer, but never fewer than five
  // Fewer trials are enough once both means are known so well (standard error over mean).
  double enough = 0.001;
  std::uint64_t seed = 0;    // of what forwards draw
  std::uint64_t secret = 0;  // of the places at which outputs are looked at
  double reference_us = 0;   // known from before: a few trials that agree are enough; 0: not known
};

struct DeviceTimes {
  std::vector<double> reference_us, candidate_us;       // by trial, the GPU's own clock
  double reference_host_us = 0, candidate_host_us = 0;  // that it took to hand the work over, median
  int hidden = 0;     // trials of the candidate whose hand-over was behind what the GPU still had to do: nothing waited
                      // for the host
  int differing = 0;  // trials in which the candidate returned something else than in the first one
};

// Times both programs in turns. In each trial: the state before the forward, inputs at other addresses, memory filled
// anew, the L2 cache overwritten. The GPU is kept busy while the host hands the work over, so the time between the two
// events is the GPU's alone. `keep_outputs` is called once, with the candidate's outputs of the first trial.
DeviceTimes time_in_turns(HeldProgram& reference, HeldProgram& candidate, const std::vector<at::Tensor>& inputs,
                          const DeviceTimingOptions& options, DeviceSpace& space,
                          const std::function<void(const std::vector<at::Tensor>&)>& keep_outputs);

}  // namespace tritonrl::runner
