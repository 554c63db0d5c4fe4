#pragma once

#include <string>

#include "machine/ir/forms.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

// One operation whose types are checked. Its operands and results are of known types and as many as its form says.
class TypedOperation {
 public:
  TypedOperation(const Function& function, const Operation& op) : function_(function), op_(op) {}

  const Function& function() const { return function_; }
  const Operation& op() const { return op_; }
  std::size_t operands() const { return op_.operands.size(); }
  const Type& operand(std::size_t i) const { return type(op_.operands[i]); }
  const Type& result(std::size_t i = 0) const { return type(op_.results[i]); }
  const Type& type(ValueId value) const { return function_.values[static_cast<std::size_t>(value)]; }

  // Throws IrError with the operation's name and place unless the condition holds.
  void require(bool condition, const char* what) const {
    if (!condition) fail(what);
  }
  [[noreturn]] void fail(const std::string& what) const;
  // Attributes that the operation must have.
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most) const;
  const std::vector<std::int64_t>& integers(std::string_view key) const;

 private:
  const Function& function_;
  const Operation& op_;
};

bool is_number(Scalar scalar);  // an integer or a float
bool same_element(const Type& a, const Type& b);
// Both scalars, or tensors of one shape.
bool same_shape(const Type& a, const Type& b);
bool is_scalar(const Type& type, Scalar scalar);
bool is_permutation(const std::vector<std::int64_t>& order, std::size_t rank);

}  // namespace tritonrl::machine
