#pragma once

#include <optional>
#include <string_view>

#include "abstract/abstract_value.h"

namespace tritonrl::abstract {

// Python's arithmetic on two numbers, by the name of the operator in its syntax tree ("Add", "FloorDiv"). None: not
// two numbers, or a result that Python would not give as a 64-bit integer or a double.
std::optional<Value> arithmetic(std::string_view op, const Value& left, const Value& right);

// "Lt", "Eq", "Is", "NotIn" of two constants. None: the text does not tell.
std::optional<bool> comparison(std::string_view op, const Value& left, const Value& right);

}  // namespace tritonrl::abstract
