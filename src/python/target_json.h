#pragma once

#include "base/json.h"
#include "program/target.h"

namespace tritonrl::python {

// What code is told of the GPU (gpu/looks.py, set_target).
base::Json target_json(const program::Target& target);

}  // namespace tritonrl::python
