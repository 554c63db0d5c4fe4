#pragma once

#include <optional>
#include <string_view>

#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// x.shape, x.ndim, x.dtype, x.T: what a tensor of known type says of itself. None: not known.
std::optional<abstract::Value> tensor_attribute(const abstract::TensorType& type, std::string_view name,
                                                ValueFacts* values);

// x.size(0), x.numel(), x.item(), and methods that leave the type as it is (x.contiguous(), x.normal_()). None: it is
// for the operator table to say.
std::optional<abstract::Value> tensor_question(const abstract::Value& tensor, std::string_view name,
                                               const abstract::Arguments& arguments, ValueFacts* values);

}  // namespace tritonrl::teacher
