#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/schema.h"

namespace tritonrl::program {

// The schemas that one line of operators/ stands for: those that differ in a few words, and the forms that torch makes
// of each in the same way. operators/README.md says how they are written:
//   aten::{lt,less}.{Scalar,Tensor}(Tensor self, {Scalar,Tensor} other) -> Tensor | _ {Scalar,Tensor}_out
// nullopt and the reason for anything else.
std::optional<std::vector<Schema>> parse_schemas(std::string_view line, std::string* why);

}  // namespace tritonrl::program
