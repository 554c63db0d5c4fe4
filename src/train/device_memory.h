#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tritonrl::train {

// The most memory in use so far: of the GPU's allocator, or of this process.
std::int64_t peak_memory(c10::Device device);
// All that the GPU has; of a CPU what the machine has, or this process may use of it (cgroup). None: not known.
std::optional<std::int64_t> total_memory(c10::Device device);
// As the GPU's driver calls it: "NVIDIA H200"; empty: a CPU, or not known.
std::string device_name(c10::Device device);

}  // namespace tritonrl::train
