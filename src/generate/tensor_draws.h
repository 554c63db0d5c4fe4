#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "generate/draws.h"

namespace tritonrl::generate {

// [steps, 2], int32, on the CPU: offsets and multipliers of the first tokens, made ahead so that a step on a device
// needs none from the host.
at::Tensor draw_keys(std::uint64_t sample_seed, std::int64_t steps);
// [rows, vocabulary], float: unit_draw() by tensor operations for keys [rows, 2], on their device.
at::Tensor unit_draws(const at::Tensor& keys, std::int64_t vocabulary);

}  // namespace tritonrl::generate
