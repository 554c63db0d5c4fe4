#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "program/program.h"

namespace tritonrl::program {

// The stable JSON form. docs/program-format.md describes it.
std::string to_json(const Program& program);

// Reads and validates (validate.h) text from an untrusted process. Any bytes in: a program that is safe to replay, or the first
// thing wrong with them.
base::Result<Program> read_program(std::string_view json);

}  // namespace tritonrl::program
