#pragma once

#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <string>

#include "program/dtype.h"

namespace tritonrl::runner {

at::ScalarType scalar_type(program::DType dtype);
// By torch's name; contiguous for any other.
at::MemoryFormat memory_format(const std::string& name);

}  // namespace tritonrl::runner
