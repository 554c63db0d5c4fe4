#pragma once

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "program/program.h"

namespace tritonrl::program {

// The two halves that program_json.cpp joins; others use read_program.

inline constexpr int kProgramFormat = 1;

// The structs as the text has them: types are right, indices and contents are not checked yet.
base::Result<Program> parse_program(const nlohmann::json& json);
base::Result<Question> parse_question(const nlohmann::json& json);

nlohmann::ordered_json storage_to_json(const Storage& storage);

}  // namespace tritonrl::program
