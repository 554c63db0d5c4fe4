#pragma once

#include <ATen/core/Tensor.h>
#include <cuda.h>

#include <cstdint>

#include "base/unique_fd.h"

namespace tritonrl::runner {

// Memory of the GPU that two processes see: one makes it and hands out its descriptor, the other maps it.
class SharedMemory {
 public:
  static SharedMemory make(std::int64_t bytes);
  // `descriptor` of one made with `bytes` elsewhere. A write through a mapping that is not writable is a fault of its
  // kernel.
  static SharedMemory map(int descriptor, std::int64_t bytes, bool writable);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;

  base::UniqueFd descriptor() const;
  // Contiguous, at the beginning. Must not outlive this.
  at::Tensor tensor(at::IntArrayRef sizes, at::ScalarType dtype) const;
  std::int64_t bytes() const { return bytes_; }

 private:
  SharedMemory() = default;
  void map_all(bool writable);

  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
  std::int64_t bytes_ = 0;
  std::size_t mapped_ = 0;  // whole pages
};

}  // namespace tritonrl::runner
