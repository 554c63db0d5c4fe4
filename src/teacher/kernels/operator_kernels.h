#pragma once

#include <optional>

#include "teacher/kernels/kernel_arguments.h"

// The kernels of operators, for source_kernel.cpp. None: it stays in torch.
namespace tritonrl::teacher {

// linear, matmul (any ranks, broadcast batches), mm, bmm, mv, addmm and baddbmm with unit factors.
std::optional<SourceKernel> product_kernel(const KernelArguments& arguments, const Schedule& schedule);

// Two operands, explicit result.
std::optional<SourceKernel> einsum_kernel(const KernelArguments& arguments, const Schedule& schedule);

// conv1d, conv2d, conv3d with numbers for padding: a product of the weight with the windows of all images, which are
// gathered while it runs; of narrow groups (depthwise) each result sums its own window. conv_transpose1d, 2d, 3d: each
// result gathers the inputs whose windows reach it.
std::optional<SourceKernel> convolution_kernel(const KernelArguments& arguments, const Schedule& schedule);
// Whether a convolution has exactly one group, whatever the task's sizes.
bool has_one_group(const KernelArguments& arguments);

// max_pool1d, 2d, 3d without indices; avg_pool1d, 2d, 3d without a divisor of its own.
std::optional<SourceKernel> pooling_kernel(const KernelArguments& arguments, const Schedule& schedule);

// adaptive_avg_pool1d, 2d, 3d and adaptive_max_pool without indices.
std::optional<SourceKernel> adaptive_pooling_kernel(const KernelArguments& arguments, const Schedule& schedule);

}  // namespace tritonrl::teacher
