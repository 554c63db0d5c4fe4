#pragma once

#include <optional>

#include "teacher/kernels/kernel_arguments.h"

namespace tritonrl::teacher {

// Output channels of a group up to which a convolution in groups is summed directly: a tile would be nearly empty.
inline constexpr std::int64_t kNarrow = 2;

// conv1d, conv2d, conv3d with numbers for padding: a product of the weight with the windows of all images, which are
// gathered while it runs; of narrow groups (depthwise) each result sums its own window.
std::optional<SourceKernel> convolution_kernel(const KernelArguments& arguments, Variant variant);

// conv_transpose1d, 2d, 3d: each result gathers the inputs whose windows reach it.
std::optional<SourceKernel> transposed_convolution_kernel(const KernelArguments& arguments, Variant variant);

// Axes of space of an operator by the digit in its name; 0: none.
std::size_t axes_of(std::string_view op);
// Whether both kinds can be written with these arguments.
bool is_plain_convolution(const KernelArguments& arguments);
// Whether it has exactly one group, whatever the task's sizes.
bool has_one_group(const KernelArguments& arguments);

}  // namespace tritonrl::teacher
