#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "weights/safetensors.h"

namespace tritonrl::model {

// The stored elements as a tensor that shares their memory (and keeps it alive). Never write to it.
at::Tensor as_tensor(const weights::StoredTensor& stored);

// A tensor of any device to be written under `name` when its turn comes.
weights::TensorToWrite to_write(const std::string& name, const at::Tensor& tensor);

}  // namespace tritonrl::model
