#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace tritonrl::runner {

// The functions of CUDA's driver that we call. They are looked up when first needed: this program is built, and says
// what is missing, on machines without one.
// clang-format off
#define TRITONRL_DRIVER_FUNCTIONS(X)                                                                               \
  X(cuInit) X(cuDriverGetVersion) X(cuTensorMapEncodeTiled)                                                        \
  X(cuDeviceGet)                                                                                                   \
  X(cuDeviceGetName)                                                                                               \
  X(cuDeviceGetUuid)                                                                                               \
  X(cuMemGetInfo) X(cuDeviceGetAttribute) X(cuDevicePrimaryCtxRetain) X(cuCtxSetCurrent) X(cuCtxSynchronize)       \
      X(cuCtxResetPersistingL2Cache) X(cuModuleLoadData) X(cuModuleUnload) X(cuModuleGetFunction)                  \
          X(cuFuncSetAttribute) X(cuFuncGetAttribute) X(cuFuncSetCacheConfig) X(cuLaunchKernelEx) X(cuEventCreate) \
              X(cuEventRecord) X(cuEventElapsedTime) X(cuEventDestroy) X(cuMemsetD32Async) X(cuMemCreate)          \
                  X(cuMemRelease) X(cuMemAddressReserve) X(cuMemAddressFree) X(cuMemMap) X(cuMemUnmap)             \
                      X(cuMemSetAccess) X(cuMemExportToShareableHandle) X(cuMemImportFromShareableHandle)          \
                          X(cuMemGetAllocationGranularity) X(cuGetErrorName) X(cuGetErrorString)
// clang-format on

struct Driver {
#define TRITONRL_MEMBER(name) decltype(&::name) name##_ = nullptr;
  TRITONRL_DRIVER_FUNCTIONS(TRITONRL_MEMBER)
#undef TRITONRL_MEMBER
};

// What the driver refused.
class DriverError : public std::runtime_error {
 public:
  DriverError(CUresult result, const std::string& what) : std::runtime_error(what), code(result) {}
  const CUresult code;
};

// std::runtime_error where there is no driver.
const Driver& driver();

// Throws DriverError with the driver's words for anything but success.
void check(CUresult result, const char* what);

// Whether nothing can be done in this context any more after such an error.
bool poisons(CUresult result);

}  // namespace tritonrl::runner
