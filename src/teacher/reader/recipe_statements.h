#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/operators/operator.h"

namespace tritonrl::teacher {

// One statement of a recipe, taken apart.
struct RecipeStatement {
  enum class Kind : std::uint8_t { kExpression, kReduce, kScan };
  Kind kind = Kind::kExpression;
  std::string target;              // empty: the value
  std::string text;                // kExpression: with operands as $0, $1; else "sum", "cumsum"
  std::vector<std::string> names;  // of the operands
  bool truth = false;              // a comparison, or something logical of such
};

// Of a recipe of the table. Lives as long as the program; safe from any thread.
const std::vector<RecipeStatement>& statements_of(const Recipe& recipe);

}  // namespace tritonrl::teacher
