#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/program.h"
#include "program/target.h"

namespace tritonrl::optimize {

// What a part of a forward takes under torch, and what it would take with the fewest kernels: one for everything
// between two products, which reads what comes from outside and writes what is needed outside, each once. Products,
// convolutions, sorts and the like stay torch's. A bound for what fusing can give, not a promise.
struct FewestKernels {
  double eager_seconds = 0, seconds = 0;
  int eager_kernels = 0, kernels = 0;
  std::vector<std::string> fused, kept;  // torch's names, each once, in order
};

FewestKernels fewest_kernels(const program::Program& program, const program::Forward& forward, std::size_t begin,
                             std::size_t end, const program::Target& target);

}  // namespace tritonrl::optimize
