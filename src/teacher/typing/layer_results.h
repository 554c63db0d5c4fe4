#pragma once

#include <optional>

#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// What calling a module of torch.nn gives that no operator of the table stands for: recurrent layers and cells,
// attention, whole transformer layers. None: not known.
std::optional<abstract::Value> layer_result(const abstract::Object& object, const abstract::Arguments& arguments,
                                            ValueFacts* values);

}  // namespace tritonrl::teacher
