#pragma once

#include <optional>

#include "data/labels/abstract_value.h"

namespace tritonrl::data::teacher {

// The type of x[index]: numbers, slices, None, `...`, lists and tensors of numbers, one or several. None: not known, or
// as many elements as a mask has (data/labels/tensor_rules.h says how slices are given).
std::optional<TensorType> index_type(const TensorType& tensor, const Value& index);

}  // namespace tritonrl::data::teacher
