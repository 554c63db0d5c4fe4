#pragma once

#include <ATen/core/Tensor.h>

namespace tritonrl::train {

// The matrices [n, rows, columns] with all their singular values brought near one: five Newton–Schulz steps, as
// torch.optim.Muon takes them. In bf16 on a GPU; in float32 on a CPU, most of which have no fast bf16.
at::Tensor orthogonalised(const at::Tensor& matrices);

// By what Muon's step is multiplied so that it moves a matrix of this shape as far as AdamW would
// ("match_rms_adamw"): one learning rate then serves both.
double muon_scale(std::int64_t rows, std::int64_t columns);

}  // namespace tritonrl::train
