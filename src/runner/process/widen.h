#pragma once

#include <vector>

#include "program/program.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// A forward of a program in float64 (RunRequest::oracle): its own copy of every storage that the forward names, floats
// widened, and the recorded calls with the types that they then have.
class WidenedForward {
 public:
  // Copies from `narrow`, which stays as it is. Stop (kNotExecutable) if the forward cannot be widened.
  WidenedForward(const RunRequest& request, int forward, Storages& narrow);

  // Stop as execute() does, and kNotExecutable if the step draws random numbers: a draw of another type is another one.
  void run_step(std::size_t step);
  void drop(int storage) { storages_.drop(storage); }
  std::vector<at::Tensor> outputs();

 private:
  const program::Forward& forward_;
  const program::Program program_;  // storages and tensors alone
  Storages storages_;
};

}  // namespace tritonrl::runner
