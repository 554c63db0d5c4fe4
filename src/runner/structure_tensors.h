#pragma once

#include <vector>

#include "program/program.h"

namespace tritonrl::runner {

// All tensors of a structure, in its order.
std::vector<program::TensorRef> tensors_of(const program::Structure& structure);

}  // namespace tritonrl::runner
