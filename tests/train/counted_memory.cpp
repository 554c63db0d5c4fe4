#include "tests/train/counted_memory.h"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>

namespace tritonrl::train {
namespace {

class Counter : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    auto* const held = new Held{base_->allocate(bytes), bytes};
    void* const data = held->memory.get();
    const std::int64_t now = in_use += static_cast<std::int64_t>(bytes);
    for (std::int64_t most = peak; now > most && !peak.compare_exchange_weak(most, now);) {
    }
    return {data, held, &release, c10::Device(c10::kCPU)};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

  static inline std::atomic<std::int64_t> in_use = 0, peak = 0;

 private:
  struct Held {
    c10::DataPtr memory;
    std::size_t bytes;
  };
  static void release(void* held) {
    in_use -= static_cast<std::int64_t>(static_cast<Held*>(held)->bytes);
    delete static_cast<Held*>(held);
  }
  c10::Allocator* const base_ = c10::GetDefaultCPUAllocator();
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
