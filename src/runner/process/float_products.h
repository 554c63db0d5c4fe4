#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

#include "program/operator_table.h"
#include "runner/process/aten_call.h"

namespace tritonrl::runner {

// Products of half-precision matrices on a CPU are plain loops of torch's, dozens of times slower than those of
// float32. Both add up in float32 and round once, so such operands are widened for them and the product is rounded.

// Widens them in `stack`; gives the type that the results are rounded to, none where nothing was widened.
std::optional<at::ScalarType> widen_product(const program::Operator& op, std::vector<c10::IValue>& stack);

void round_product(at::ScalarType type, Results& results);

}  // namespace tritonrl::runner
