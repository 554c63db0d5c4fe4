#pragma once

#include <span>
#include <string_view>
#include <vector>

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

// The rows of each group, one file each.
std::vector<Operator> pointwise_operators();
std::vector<Operator> comparison_operators();
std::vector<Operator> activation_operators();
std::vector<Operator> reduction_operators();
std::vector<Operator> normalisation_operators();
std::vector<Operator> loss_operators();
std::vector<Operator> scan_operators();
std::vector<Operator> pooling_operators();
std::vector<Operator> movement_operators();
std::vector<Operator> heavy_operators();
std::vector<Operator> other_operators();

}  // namespace tritonrl::teacher::operators
