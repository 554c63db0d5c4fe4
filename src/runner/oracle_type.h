#pragma once

#include "program/dtype.h"

namespace tritonrl::runner {

// Whether an oracle (RunRequest::oracle) calculates tensors of this type in float64 instead.
constexpr bool is_widened(program::DType dtype) {
  return dtype == program::DType::kFloat16 || dtype == program::DType::kBFloat16 || dtype == program::DType::kFloat32;
}

constexpr program::DType oracle_type(program::DType dtype) {
  return is_widened(dtype) ? program::DType::kFloat64 : dtype;
}

}  // namespace tritonrl::runner
