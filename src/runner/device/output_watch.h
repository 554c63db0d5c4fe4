#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tritonrl::runner {

// Whether a program returns in every timed run what it returned in the first one, whose outputs are compared with the
// reference's. It looks at a million elements of each output, at places that nobody else knows: a program that leaves
// out a thousandth of its work in some of the runs is found.
class OutputWatch {
 public:
  explicit OutputWatch(std::uint64_t secret) : secret_(secret) {}

  // After a run. Waits for the GPU.
  void look(const std::vector<at::Tensor>& outputs);

  int differing() const { return differing_; }  // runs

 private:
  at::Tensor sample_of(const at::Tensor& output, std::size_t index) const;

  std::uint64_t secret_;
  std::vector<at::Tensor> first_;  // samples
  bool begun_ = false;
  int differing_ = 0;
};

}  // namespace tritonrl::runner
