#pragma once

#include <optional>
#include <string>

#include "program/program.h"

namespace tritonrl::program {

struct ValidateOptions {
  std::int64_t max_storage_bytes = std::int64_t{1} << 44;
  std::size_t max_steps = 1'000'000;
  bool partial = false;  // a program so far, sent with a question: there may be no forward yet
};

// The first thing wrong with a program, or nothing. What passes may be replayed: every operator is in the table,
// arguments fit its schema, every operand lies inside its storage, and no storage is read before a call or a constant
// made it.
std::optional<std::string> find_fault(const Program& program, const ValidateOptions& options = {});

}  // namespace tritonrl::program
