#pragma once

#include <optional>

#include "teacher/kernels/kernel_arguments.h"

namespace tritonrl::teacher {

// linear, matmul (any ranks, broadcast batches), mm, bmm, mv, addmm and baddbmm with unit factors. None: it stays in
// torch.
std::optional<SourceKernel> product_kernel(const KernelArguments& arguments, Variant variant);

// Two operands, explicit result.
std::optional<SourceKernel> einsum_kernel(const KernelArguments& arguments, Variant variant);

}  // namespace tritonrl::teacher
