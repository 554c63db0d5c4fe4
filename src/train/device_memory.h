#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <optional>

#include "model/transformer.h"

namespace tritonrl::train {

// The most memory in use so far: of the GPU's allocator, or of this process.
std::int64_t peak_memory(c10::Device device);
// None: not known (a CPU).
std::optional<std::int64_t> free_memory(c10::Device device);

// What the activations of a pass take that are kept for gradients, roughly.
std::int64_t activation_bytes(const weights::ModelConfig& config, std::int64_t tokens, c10::ScalarType dtype);

}  // namespace tritonrl::train
