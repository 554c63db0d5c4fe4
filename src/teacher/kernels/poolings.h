#pragma once

#include <optional>

#include "teacher/kernels/kernel_arguments.h"

namespace tritonrl::teacher {

// max_pool1d, 2d, 3d without indices; avg_pool1d, 2d, 3d without a divisor of its own.
std::optional<SourceKernel> pooling_kernel(const KernelArguments& arguments, Variant variant);

// adaptive_avg_pool1d, 2d, 3d and adaptive_max_pool without indices.
std::optional<SourceKernel> adaptive_pooling_kernel(const KernelArguments& arguments, Variant variant);

}  // namespace tritonrl::teacher
