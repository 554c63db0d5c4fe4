#include "train/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>
#include <sys/resource.h>

namespace tritonrl::train {
namespace {

c10::DeviceAllocator* allocator_of(c10::Device device) {
  return device.is_cuda() ? c10::getDeviceAllocator(device.type()) : nullptr;
}

// "cuda" alone is the first.
c10::DeviceIndex index_of(c10::Device device) {
  return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

}  // namespace

std::int64_t peak_memory(c10::Device device) {
  if (c10::DeviceAllocator* const allocator = allocator_of(device)) {
    const auto total = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return allocator->getDeviceStats(index_of(device)).allocated_bytes[total].peak;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

std::optional<std::int64_t> free_memory(c10::Device device) {
  c10::DeviceAllocator* const allocator = allocator_of(device);
  if (allocator == nullptr) return std::nullopt;
  try {
    return static_cast<std::int64_t>(allocator->getMemoryInfo(index_of(device)).first);
  } catch (const c10::Error&) {  // not every allocator can tell
    return std::nullopt;
  }
}

std::int64_t activation_bytes(const weights::ModelConfig& config, std::int64_t tokens, c10::ScalarType dtype) {
  // A block keeps its two normed inputs and residuals, queries, keys and values before and after their positions, what
  // attention gives, gate, up and their product.
  const std::int64_t heads = config.head_dim * (2 * config.num_attention_heads + 4 * config.num_key_value_heads);
  const std::int64_t a_token = 6 * config.hidden_size + heads + 4 * config.intermediate_size;
  return config.num_hidden_layers * tokens * a_token * static_cast<std::int64_t>(c10::elementSize(dtype));
}

}  // namespace tritonrl::train
