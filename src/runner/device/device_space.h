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

  // While a clock runs: fences of tensors that are given up are not looked at, and garbage is one number over and over,
  // another one each time, which is written faster.
  void be_quick(bool yes) { quick_ = yes; }
  // Bytes of fences that were written since the last call, of tensors that are gone too. Waits for the GPU.
  std::int64_t broken_fences();

 private:
  static void release(void* context);
  void look_at_fences(const at::Tensor& whole);

  bool quick_ = false;
  std::uint64_t filled_ = 0;  // times, while quick
  at::Generator generator_;
  at::Tensor broken_;                                 // a count, on the GPU
  std::unordered_map<const void*, at::Tensor> live_;  // whole allocations by the address of their tensor
};

}  // namespace tritonrl::runner
