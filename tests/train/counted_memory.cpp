#include "tests/train/counted_memory.h"

#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace tritonrl::train {
namespace {

constexpr std::size_t kAlignment = 64;

// A block has its size in front of it: some of torch's kernels want a context that is the memory itself.
class Counter : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    auto* const block = static_cast<char*>(
        std::aligned_alloc(kAlignment, kAlignment + (bytes + kAlignment - 1) / kAlignment * kAlignment));
    if (block == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(block) = bytes;
    const std::int64_t now = in_use += static_cast<std::int64_t>(bytes);
    for (std::int64_t most = peak; now > most && !peak.compare_exchange_weak(most, now);) {
    }
    return {block + kAlignment, block + kAlignment, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

  static inline std::atomic<std::int64_t> in_use = 0, peak = 0;

 private:
  static void release(void* memory) {
    if (memory == nullptr) return;
    char* const block = static_cast<char*>(memory) - kAlignment;
    in_use -= static_cast<std::int64_t>(*reinterpret_cast<std::size_t*>(block));
    std::free(block);
  }
};

// Tensors may outlive the count: it is never taken down, and torch takes whoever comes with the highest number.
Counter& counter() {
  static Counter* const one = new Counter;
  return *one;
}
std::uint8_t g_priority = 0;

}  // namespace

CountedMemory::CountedMemory() {
  Counter::in_use = Counter::peak = 0;
  c10::SetCPUAllocator(&counter(), ++g_priority);
}

CountedMemory::~CountedMemory() {
  c10::SetCPUAllocator(c10::GetDefaultCPUAllocator(), ++g_priority);
}

std::int64_t CountedMemory::peak() const {
  return Counter::peak;
}

}  // namespace tritonrl::train
