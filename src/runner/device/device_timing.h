#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "runner/device/device_space.h"
#include "runner/device/held_program.h"
#include "runner/device_messages.h"

namespace tritonrl::runner {

// Times both programs in turns. In each trial: the state before the forward, inputs at other addresses, memory filled
// anew, the L2 cache overwritten. With events the GPU is kept busy while the host hands the work over, so the time
// between the two is the GPU's alone. `keep_outputs` is called once, with the candidate's outputs of the first trial.
DeviceTimes time_in_turns(HeldProgram& reference, HeldProgram& candidate, const std::vector<at::Tensor>& inputs,
                          const DeviceTimingOptions& options, DeviceSpace& space,
                          const std::function<void(const std::vector<at::Tensor>&)>& keep_outputs);

}  // namespace tritonrl::runner
