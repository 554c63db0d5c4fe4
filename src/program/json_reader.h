#pragma once

#include "base/json.h"
#include "base/result.h"
#include "program/program.h"

namespace tritonrl::program {

// The two halves that program_json.cpp joins; others use read_program.

inline constexpr int kProgramFormat = 1;

// The structs as the text has them: types are right, indices and contents are not checked yet.
base::Result<Program> parse_program(const base::Json& json);
base::Result<Question> parse_question(const base::Json& json);

base::Json storage_to_json(const Storage& storage);

}  // namespace tritonrl::program
