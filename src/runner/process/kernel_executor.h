#pragma once

#include "program/program.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Executes launches on the storages of a run: the kernel machine here, a GPU's driver elsewhere.
class KernelExecutor {
 public:
  virtual ~KernelExecutor() = default;

  // The report's place is the caller's to fill in. What the kernel does wrong is in its findings.
  virtual LaunchReport launch(const program::Launch& launch, const LaunchChoice& choice) = 0;
};

}  // namespace tritonrl::runner
