#pragma once

#include <ATen/core/Tensor.h>

namespace tritonrl::model {

// A frozen matrix in one byte a weight: row r is scale[r] times its integers, the largest of which is 127.
struct EightBitMatrix {
  at::Tensor integers;  // int8 [rows, columns]
  at::Tensor scale;     // float32 [rows]

  at::Tensor dequantised(c10::ScalarType dtype) const;
};

// `weight` [rows, columns] of any float type.
EightBitMatrix quantise(const at::Tensor& weight);

// x W^T with W dequantised for this call only; the gradient flows to x, none to W.
at::Tensor eight_bit_product(const at::Tensor& x, const EightBitMatrix& matrix);

}  // namespace tritonrl::model
