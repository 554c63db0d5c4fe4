#pragma once

#include <optional>
#include <span>

#include "teacher/facts/facts.h"
#include "teacher/operators/operator.h"

namespace tritonrl::teacher::operators {

// torch.promote_types; none: torch knows no common type, or we do not.
std::optional<program::DType> promote(program::DType a, program::DType b);
// torch.result_type over tensors and numbers: a number or a tensor without dimensions gives way to tensors with
// dimensions unless it is of a higher kind. None: there is nothing to promote.
std::optional<program::DType> promote_all(std::span<const Fact* const> operands);

bool is_integral(program::DType dtype);  // integers and booleans
bool is_complex(program::DType dtype);

// The type in which torch computes the operator's value, before ResultType: that of its operands. None: not known.
std::optional<program::DType> operand_type(const Bound& bound);
// The type of the operator's result as ResultType says.
std::optional<program::DType> result_type(const Bound& bound);

}  // namespace tritonrl::teacher::operators
