#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>

#include "runner/output_comparison.h"

namespace tritonrl::runner {

// What judge::compare says of tensors of this process, for tensors of the GPU. Elements are right within atol +
// rtol·|expected|, or by the rules of tolerance.h where `truth` (the same in higher precision) is given, and `coarse`
// (the same with products that round their operands, where they may); atol is never less than `least`. `got` may have
// another type.
OutputComparison compare_on_device(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                   const std::optional<at::Tensor>& truth, double least = 0,
                                   const std::optional<at::Tensor>& coarse = std::nullopt);

// How large the elements are: the largest, and the median of an even sample.
struct OutputSizes {
  double largest = 0, typical = 0;
};
OutputSizes sizes_of(const at::Tensor& expected);

// The same by all that is known: what is right for outputs as small as these is right; else the truth decides, which
// `make_truth` is asked for (it may have none), and without one the named tolerances. `by_largest`: of inputs whose
// rows are uneven, an error may be as large as the relative tolerance makes it for the largest output. `make_coarse`:
// where products may round their operands.
using MakeTensor = std::function<std::optional<at::Tensor>()>;
OutputComparison compare_fairly(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                bool by_largest, const MakeTensor& make_truth, const MakeTensor& make_coarse = {});

}  // namespace tritonrl::runner
