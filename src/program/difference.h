#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/cost.h"
#include "program/program.h"

namespace tritonrl::program {

// What a candidate's forward pass does beside the reference's. Computing calls (is_compute) are matched by operator,
// overload and in-place form set aside, and by shapes and dtypes of their tensors in the order of the arguments.
struct Difference {
  struct Work {
    std::string op;        // "relu"
    std::string operands;  // "float32[16, 4096], float32[4096]"
    int calls = 0;
    double seconds = 0;  // modelled, of all these calls
  };
  struct Kernel {
    std::string name;
    int launches = 0;
  };
  std::vector<Work> replaced;   // the reference's calls that the candidate does not make, in the reference's order
  std::vector<Work> kept;       // calls of both
  std::vector<Work> added;      // the candidate's calls that the reference does not make
  std::vector<Kernel> kernels;  // what the candidate launches instead

  double reference_seconds = 0;  // of the reference's computing calls
  double candidate_seconds = 0;  // of the candidate's computing calls; its kernels are not in it
  double replaced_seconds = 0;
  // Part of the reference's modelled time that is replaced: 0 for none, 1 for all. 0 if the reference computes nothing.
  double share_replaced() const { return reference_seconds > 0 ? replaced_seconds / reference_seconds : 0; }
};

Difference difference_of(const Program& reference, const Program& candidate, const Target& target,
                         std::size_t forward = 0, const CostOptions& options = {});

}  // namespace tritonrl::program
