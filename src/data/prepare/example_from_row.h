#pragma once

#include <string>
#include <variant>
#include <vector>

#include "data/prepare/example.h"
#include "data/rows/row_reader.h"

namespace tritonrl::data {

// The columns that make an example, in any of the forms:
//   KernelBook   python_code, triton_code, entry_point, repo_name, repo_link, licenses, uuid
//   the report's pytorch_code, triton_code (its own `instruction` is not used: prompts are ours)
//   KernelBench  code, level, name, problem_id
const std::vector<std::string>& example_columns();

// An example, or why the row is none: reasons missing_column, null_code, empty_code, wrong_type.
std::variant<Example, RowProblem> example_from_row(const Row& row);

// The solution of a KernelBook row names its class after the task's: `SoftmaxNew` becomes `ModelNew`.
std::string with_model_new(const std::string& solution, const std::string& entry_point);

}  // namespace tritonrl::data
