#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"

namespace tritonrl::program {

// A call with its arguments by name and its tensors at hand, for the formulas of the cost model. Holds pointers into
// the program, the call and the table.
class Operands {
 public:
  Operands(const Program& program, const AtenCall& call, const Operator& op);

  const Operator& op() const { return op_; }
  std::string_view name() const { return name_; }  // plain_name

  // Null or empty if there is no such argument, or it is none, a number or left to its default.
  const Value* value(std::string_view argument) const;
  const Tensor* tensor(std::string_view argument) const;
  std::vector<const Tensor*> tensors(std::string_view argument) const;
  // A single integer is a list of one, 3.0 too.
  std::vector<std::int64_t> integers(std::string_view argument) const;
  std::optional<std::int64_t> integer(std::string_view argument) const;
  // For formulas: the integer, or 0 if it is negative (nobody has checked that torch would take it).
  double count(std::string_view argument, double otherwise) const;
  bool flag(std::string_view argument, bool otherwise) const;
  // The first of the arguments that is a tensor.
  const Tensor* first_of(std::initializer_list<std::string_view> arguments) const;

  struct Group {  // one argument or result that holds tensors; a list is one group
    const ValueType* type = nullptr;
    const Argument* argument = nullptr;  // null for results
    std::vector<const Tensor*> tensors;
    double numel() const;
  };
  const std::vector<Group>& inputs() const { return inputs_; }
  const std::vector<Group>& results() const { return results_; }
  const Tensor* input() const;   // the first tensor among the arguments, or null
  const Tensor* result() const;  // the first result, or the first out= or in-place operand
  // The elements of the largest group: outputs of a broadcast, inputs of a reduction.
  double elements() const;

 private:
  const Program& program_;
  const Operator& op_;
  std::string_view name_;
  std::vector<const Value*> bound_;
  std::vector<Group> inputs_, results_;
};

// Size of a dimension counted from the front or (negative) from the back; 1 if there is none.
std::int64_t size_at(const Tensor& tensor, std::int64_t dim);

// Elements; 0 where there is no tensor.
double numel(const Tensor* tensor);

}  // namespace tritonrl::program
