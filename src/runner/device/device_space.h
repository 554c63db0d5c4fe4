#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "runner/process/memory_space.h"

namespace tritonrl::runner {

// Memory of the GPU. Every tensor lies between two fences: a kernel that writes beside its tensor is found by what it
// leaves there.
class DeviceSpace : public MemorySpace {
 public:
  DeviceSpace();

  at::Device device() const override { return {at::kCUDA, 0}; }
  c10::Storage allocate(std::int64_t bytes) override;
  void fill_with_garbage(void* data, std::int64_t bytes, program::DType dtype, std::uint64_t key) override;

  // Off while a clock runs: looking at the fences of a tensor that is given up takes the GPU's time.
  void watch_fences(bool yes) { watches_ = yes; }
  // Bytes of fences that were written since the last call, of tensors that are gone too. Waits for the GPU.
  std::int64_t broken_fences();

 private:
  static void release(void* context);
  void look_at_fences(const at::Tensor& whole);

  bool watches_ = true;
  at::Generator generator_;
  at::Tensor broken_;                                 // a count, on the GPU
  std::unordered_map<const void*, at::Tensor> live_;  // whole allocations by the address of their tensor
};

}  // namespace tritonrl::runner
