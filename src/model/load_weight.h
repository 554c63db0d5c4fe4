#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "weights/tensor_files.h"

namespace tritonrl::model {

// A tensor that the files have, as weights: UserError, naming the tensor and its file, for another shape, for integers
// (quantised weights without what unpacks them) and for values that are not finite, with which every result is NaN.
// Shares memory with the file, as as_tensor(). `part` says who complains.
at::Tensor load_weight(const weights::TensorFiles& files, const std::string& name, at::IntArrayRef shape,
                       const char* part);

// Whether all its values are. Costs a pass over them.
bool is_finite(const at::Tensor& tensor);

}  // namespace tritonrl::model
