#pragma once

#include <string>

#include "program/program.h"

namespace tritonrl::judge {

inline const program::Tensor& tensor_of(const program::Program& program, program::TensorRef ref) {
  return program.tensors[static_cast<std::size_t>(ref.index)];
}

// "float32[16, 4096]"
inline std::string shape_text(const program::Tensor& tensor) {
  std::string out = std::string(to_string(tensor.dtype)) + "[";
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(tensor.sizes[i]);
  return out + "]";
}

}  // namespace tritonrl::judge
