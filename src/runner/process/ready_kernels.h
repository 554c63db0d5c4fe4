#pragma once

#include <string>
#include <unordered_map>

#include "base/result.h"
#include "machine/machine.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Kernels read and lowered, each text once, for all runs of the process.
class ReadyKernels {
 public:
  // A Failure where the image cannot be read or lowered. Stays valid.
  const base::Result<machine::Kernel>& find(const KernelImage& image);

 private:
  std::unordered_map<std::string, base::Result<machine::Kernel>> by_text_;
};

}  // namespace tritonrl::runner
