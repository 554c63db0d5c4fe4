#pragma once

#include <optional>
#include <string_view>

#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// Tensors that old spellings make, which the operator table does not describe: torch.Tensor(3, 4),
// torch.FloatTensor([1.0]), torch.normal(0, 1, size=(2, 3)). None: it is another function.
std::optional<abstract::Value> made_tensor(std::string_view path, const abstract::Arguments& arguments,
                                           ValueFacts* values);

}  // namespace tritonrl::teacher
