#pragma once

#include <optional>

#include "abstract/abstract_value.h"

namespace tritonrl::teacher {

// The type of x[index]: numbers, slices, None, `...`, lists and tensors of numbers, one or several. None: not known, or
// as many elements as a mask has (abstract/tensor_rules.h says how slices are given).
std::optional<abstract::TensorType> index_type(const abstract::TensorType& tensor, const abstract::Value& index);

}  // namespace tritonrl::teacher
