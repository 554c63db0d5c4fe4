#pragma once

#include <cuda.h>

#include "machine/machine.h"
#include "program/kernel_parameter.h"

namespace tritonrl::runner {

// A descriptor made by the host as kernels for sm_90 and later take it, encoded as Triton's own launcher does. Stop
// where the descriptor has another rank than the kernel's or no contiguous dimension at its end, DriverError where the
// driver refuses it.
CUtensorMap tensor_map_of(const machine::DescriptorArgument& descriptor, const program::DescriptorLayout& layout);

}  // namespace tritonrl::runner
