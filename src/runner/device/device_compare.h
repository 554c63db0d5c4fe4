#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "runner/output_comparison.h"

namespace tritonrl::runner {

// What judge::compare says of tensors of this process, for tensors of the GPU. Elements are right within atol +
// rtol·|expected|, or by the rules of tolerance.h where `truth` (the same in higher precision) is given. `got` may have
// another type.
OutputComparison compare_on_device(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                   const std::optional<at::Tensor>& truth);

}  // namespace tritonrl::runner
