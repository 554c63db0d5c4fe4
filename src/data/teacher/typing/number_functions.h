#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/labels/abstract_value.h"

namespace tritonrl::data::teacher {

// math.sqrt(2), numpy.prod([2, 3]): functions of numbers, exactly. None: another function, or arguments that are not
// known.
std::optional<Value> number_function(std::string_view path, const Arguments& arguments);

// What a name stands for: "math.pi", "torch.finfo(float32).min" (what `finfo_of` gives, and an attribute).
std::optional<Value> number_name(std::string_view path);
// The name of torch.finfo(dtype) and torch.iinfo(dtype).
std::optional<std::string> limits_of(std::string_view path, const Arguments& arguments);

}  // namespace tritonrl::data::teacher
