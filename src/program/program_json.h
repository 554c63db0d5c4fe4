#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "program/program.h"
#include "program/validate.h"

namespace tritonrl::program {

// The stable JSON form. docs/program-format.md describes it.
std::string to_json(const Program& program);

// Reads and validates (validate.h) text from an untrusted process. Any bytes in: a program that is safe to replay, or
// the first thing wrong with them.
base::Result<Program> read_program(std::string_view text, const ValidateOptions& options = {});
base::Result<Program> program_from_json(const base::Json& json, const ValidateOptions& options = {});

// A question as the recorder sends it, about tensors of the program that comes with it.
base::Result<Question> read_question(const base::Json& json, const Program& so_far);

std::string to_json(const Value& value);

}  // namespace tritonrl::program
