#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program/program.h"

namespace tritonrl::program {

// Executes the ATen part of a program on the host, through torch's own dispatcher: the proof that a recording says all
// that the module did. Launches cannot be executed here and throw, as does a call whose real result differs in shape,
// type or strides.
class AtenReplay {
 public:
  explicit AtenReplay(const Program& program) : program_(program), storages_(program.storages.size()) {}

  void run(const std::vector<Step>& steps);
  // A view of the tensor's memory as it is now.
  at::Tensor tensor(TensorRef ref);
  // Flat list of the tensors in a structure.
  std::vector<at::Tensor> tensors(const Structure& structure);

 private:
  void run(const AtenCall& call);
  void store(const AtenCall& call, const at::Tensor& made, TensorRef place);

  const Program& program_;
  std::vector<at::Tensor> storages_;  // one-dimensional byte tensors; undefined until something makes them
};

}  // namespace tritonrl::program
