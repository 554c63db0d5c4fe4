#pragma once

#include <cuda.h>

#include <map>
#include <string>

#include "base/result.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Machine code in the GPU's context, each image once. Unloaded with this: one candidate's kernels are gone before the
// next come.
class CudaKernels {
 public:
  CudaKernels() = default;
  ~CudaKernels();
  CudaKernels(const CudaKernels&) = delete;
  CudaKernels& operator=(const CudaKernels&) = delete;

  // A Failure where the driver refuses the image. DriverError where the context is broken.
  const base::Result<CUfunction>& find(const MachineCode& code);

 private:
  std::map<std::string, base::Result<CUfunction>> by_code_;  // by cubin and entry
  std::vector<CUmodule> modules_;
};

}  // namespace tritonrl::runner
