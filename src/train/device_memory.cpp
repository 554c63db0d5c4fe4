#include "train/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace tritonrl::train {
namespace {

c10::DeviceAllocator* allocator_of(c10::Device device) {
  return device.is_cuda() ? c10::getDeviceAllocator(device.type()) : nullptr;
}

// "cuda" alone is the first.
c10::DeviceIndex index_of(c10::Device device) {
  return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

// CUDA's driver by its stable interface: torch's headers for this want those of CUDA, which no build of ours needs.
template <typename Function>
Function driver_function(const char* name) {
  void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW);
  return driver == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(driver, name));
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

std::optional<std::int64_t> total_memory(c10::Device device) {
  if (device.is_cuda()) {
    const auto total = driver_function<int (*)(std::size_t*, int)>("cuDeviceTotalMem_v2");
    std::size_t bytes = 0;
    if (total == nullptr || total(&bytes, index_of(device)) != 0) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
  }
  std::int64_t bytes = ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGE_SIZE);
  std::int64_t limit = 0;  // "max", where there is none, is no number
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0) bytes = std::min(bytes, limit);
  return bytes;
}

std::string device_name(c10::Device device) {
  if (!device.is_cuda()) return "";
  const auto name_of = driver_function<int (*)(char*, int, int)>("cuDeviceGetName");
  char name[128] = "";
  return name_of != nullptr && name_of(name, sizeof(name) - 1, index_of(device)) == 0 ? name : "";
}

}  // namespace tritonrl::train
