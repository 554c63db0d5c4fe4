#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace tritonrl::runner {

// What judge::compare says of tensors of this process, for tensors of the GPU.
struct DeviceComparison {
  std::int64_t wrong = 0;        // elements
  double max_error = 0;          // largest finite difference
  std::int64_t first = -1;       // the first wrong element, counted in order
  double expected = 0, got = 0;  // there
};

// Elements are right within atol + rtol·|expected|, or by the rules of tolerance.h where `truth` (the same in higher
// precision) is given. `got` may have another type.
DeviceComparison compare_on_device(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                   const std::optional<at::Tensor>& truth);

}  // namespace tritonrl::runner
