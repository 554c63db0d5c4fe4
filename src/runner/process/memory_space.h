#pragma once

#include <c10/core/Device.h>
#include <c10/core/Storage.h>

#include <cstdint>

#include "program/dtype.h"

namespace tritonrl::runner {

// Where the tensors of a run lie: this process's memory, or a GPU's.
class MemorySpace {
 public:
  virtual ~MemorySpace() = default;

  virtual at::Device device() const = 0;
  // Memory of exactly that many bytes. Stop (kOutOfMemory) where there is none.
  virtual c10::Storage allocate(std::int64_t bytes) = 0;
  // What memory holds that nobody has written (garbage.h).
  virtual void fill_with_garbage(void* data, std::int64_t bytes, program::DType dtype, std::uint64_t key) = 0;
};

// Memory of this process.
class HostSpace : public MemorySpace {
 public:
  at::Device device() const override { return {at::kCPU}; }
  c10::Storage allocate(std::int64_t bytes) override;
  void fill_with_garbage(void* data, std::int64_t bytes, program::DType dtype, std::uint64_t key) override;

  // The one that there is.
  static HostSpace& instance();
};

[[noreturn]] void out_of_memory(std::int64_t bytes);

}  // namespace tritonrl::runner
