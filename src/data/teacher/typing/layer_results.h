#pragma once

#include <optional>

#include "data/teacher/typing/value_facts.h"

namespace tritonrl::data::teacher {

// What calling a module of torch.nn gives that no operator of the table stands for: recurrent layers and cells,
// attention, whole transformer layers. None: not known.
std::optional<Value> layer_result(const Object& object, const Arguments& arguments, ValueFacts* values);

}  // namespace tritonrl::data::teacher
