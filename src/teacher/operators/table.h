#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "program/operator_entries.h"
#include "teacher/operators/operator.h"

// The table as its own parts see it.
namespace tritonrl::teacher::operators {

// A parameter of an operator, read from `Operator::parameters`.
struct Parameter {
  std::string_view name;
  bool required = true;
  bool keyword_only = false;
  bool many = false;  // "*dims"
  Fact standard;      // the default
};

// Of one operator of the table; and of any declaration in the same words, which must live as long as the program.
std::span<const Parameter> parameters_of(const Operator& op);
std::vector<Parameter> read_parameters(std::string_view declaration);

// A recipe, read once.
struct RecipeFacts {
  std::vector<std::string_view> conditions;
  std::vector<int> used;  // places of the parameters that stand in its text
};
std::span<const RecipeFacts> recipes_of(const Operator& op);

// An entry that has a `call`.
Operator read_operator(const program::OperatorEntry& entry);

}  // namespace tritonrl::teacher::operators
