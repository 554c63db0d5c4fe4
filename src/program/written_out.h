#pragma once

#include <string_view>

#include "program/operator_entries.h"

namespace tritonrl::program {

// Passes over all elements that an operator takes where somebody writes it out.
struct WrittenOut {
  int special = 0, reduced = 0, pointwise = 0;
};

// By the longest recipe of the table; nothing where there is none. What is done to one value a row is no pass.
WrittenOut written_out(const OperatorEntry& entry);
WrittenOut written_out(std::string_view recipe);

}  // namespace tritonrl::program
