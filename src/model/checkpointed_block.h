#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace tritonrl::model {

// `block(x)` whose inner activations are not kept: when gradients are asked for it runs once more, with the random
// numbers that it had (dropout drops the same). `leaves`: everything beside x that it may give gradients to.
using Block = std::function<at::Tensor(const at::Tensor& x)>;
at::Tensor checkpointed_block(const Block& block, const at::Tensor& x, const std::vector<at::Tensor>& leaves);

}  // namespace tritonrl::model
