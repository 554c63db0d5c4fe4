#pragma once

#include <span>
#include <string_view>

#include "teacher/operators/table.h"

namespace tritonrl::teacher::operators {

// What a name of torch means.
struct Spelling {
  std::string_view name;                  // of the operator in the table; empty: none
  std::span<const Parameter> parameters;  // how it is called: the operator's own, or the declaration of this spelling,
                                          // whose parameters have the operator's names
  bool in_place = false;                  // f_
};

// "torch.nn.functional.gelu", ".view".
Spelling read_spelling(std::string_view path);

// One name a parameter: "axis" is "dim".
std::string_view parameter_named(std::string_view keyword);

}  // namespace tritonrl::teacher::operators
