#include "runner/process/memory_space.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "runner/process/garbage.h"
#include "runner/process/stop.h"

namespace tritonrl::runner {
namespace {

constexpr std::size_t kAlignment = 64;  // torch's own

}  // namespace

void out_of_memory(std::int64_t bytes) {
  throw Stop{RunOutcome::Kind::kOutOfMemory, "no memory for a tensor of " + std::to_string(bytes) + " bytes"};
}

HostSpace& HostSpace::instance() {
  static HostSpace space;
  return space;
}

c10::Storage HostSpace::allocate(std::int64_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, kAlignment, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))) != 0) {
    out_of_memory(bytes);
  }
  return c10::Storage(c10::Storage::use_byte_size_t(), static_cast<std::size_t>(bytes),
                      at::DataPtr(data, data, &std::free, device()), /*allocator=*/nullptr, /*resizable=*/false);
}

void HostSpace::fill_with_garbage(void* data, std::int64_t bytes, program::DType dtype, std::uint64_t key) {
  runner::fill_with_garbage(static_cast<std::byte*>(data), 0, bytes, dtype, key);
}

}  // namespace tritonrl::runner
