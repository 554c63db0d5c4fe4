#pragma once

#include <c10/core/ScalarType.h>

#include "base/check.h"
#include "weights/dtype.h"

namespace tritonrl::model {

inline c10::ScalarType torch_dtype(weights::Dtype dtype) {
  switch (dtype) {
    case weights::Dtype::kF64:
      return c10::kDouble;
    case weights::Dtype::kF32:
      return c10::kFloat;
    case weights::Dtype::kF16:
      return c10::kHalf;
    case weights::Dtype::kBf16:
      return c10::kBFloat16;
    case weights::Dtype::kI64:
      return c10::kLong;
    case weights::Dtype::kI32:
      return c10::kInt;
    case weights::Dtype::kI16:
      return c10::kShort;
    case weights::Dtype::kI8:
      return c10::kChar;
    case weights::Dtype::kU8:
      return c10::kByte;
    case weights::Dtype::kBool:
      return c10::kBool;
  }
  base::check_failed("known dtype", __FILE__, __LINE__, "a dtype that torch does not have");
}

inline weights::Dtype stored_dtype(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::kDouble:
      return weights::Dtype::kF64;
    case c10::kFloat:
      return weights::Dtype::kF32;
    case c10::kHalf:
      return weights::Dtype::kF16;
    case c10::kBFloat16:
      return weights::Dtype::kBf16;
    case c10::kLong:
      return weights::Dtype::kI64;
    case c10::kChar:
      return weights::Dtype::kI8;
    default:
      base::check_failed("a type of weights", __FILE__, __LINE__, "tensors of this type are never stored");
  }
}

}  // namespace tritonrl::model
