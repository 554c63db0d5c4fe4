#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "abstract/abstract_value.h"

namespace tritonrl::teacher {

// math.sqrt(2), numpy.prod([2, 3]): functions of numbers, exactly. None: another function, or arguments that are not
// known.
std::optional<abstract::Value> number_function(std::string_view path, const abstract::Arguments& arguments);

// What a name stands for: "math.pi", "torch.finfo(float32).min" (what `finfo_of` gives, and an attribute).
std::optional<abstract::Value> number_name(std::string_view path);
// The name of torch.finfo(dtype) and torch.iinfo(dtype).
std::optional<std::string> limits_of(std::string_view path, const abstract::Arguments& arguments);

}  // namespace tritonrl::teacher
