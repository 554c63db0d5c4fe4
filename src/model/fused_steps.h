#pragma once

#include <ATen/core/Tensor.h>

namespace tritonrl::model {

// Steps of a block that are cheap to compute and dear to differentiate one operator at a time: small models spend most
// of their time in them. Their gradients are written by hand, keep only what they are given, and fill no zeros.

// x / rms(x) * weight over the last dimension.
at::Tensor rms_normed(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// silu(gate) * up.
at::Tensor gated(const at::Tensor& gate, const at::Tensor& up);

// [tokens, heads, d]: the first half of each head turned against its second; cosine and sine are [tokens, 1, d / 2].
at::Tensor turned(const at::Tensor& heads, const at::Tensor& cosine, const at::Tensor& sine);

}  // namespace tritonrl::model
