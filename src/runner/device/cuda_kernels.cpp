#include "runner/device/cuda_kernels.h"

#include <algorithm>

#include "runner/device/driver.h"

namespace tritonrl::runner {
namespace {

constexpr int kSharedWithoutAsking = 48 << 10;
constexpr int kPortableCluster = 8;  // programs; larger ones must be allowed

// As Triton prepares a function before its first launch.
void prepare(CUfunction function, const MachineCode& code) {
  if (code.shared_bytes > kSharedWithoutAsking) {
    check(driver().cuFuncSetCacheConfig_(function, CU_FUNC_CACHE_PREFER_SHARED), "cuFuncSetCacheConfig");
    check(driver().cuFuncSetAttribute_(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(code.shared_bytes)),
          "shared memory");
  }
  if (code.num_ctas > kPortableCluster) {
    check(driver().cuFuncSetAttribute_(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
          "cluster size");
  }
}

}  // namespace

CudaKernels::~CudaKernels() {
  driver().cuCtxSynchronize_();
  for (const CUmodule module : modules_) driver().cuModuleUnload_(module);
}

const base::Result<CUfunction>& CudaKernels::find(const MachineCode& code) {
  std::string key = code.entry + '\0' + code.cubin;
  const auto known = by_code_.find(key);
  if (known != by_code_.end()) return known->second;
  const auto keep = [&](base::Result<CUfunction> result) -> const base::Result<CUfunction>& {
    return by_code_.emplace(std::move(key), std::move(result)).first->second;
  };
  try {
    CUmodule module = nullptr;
    check(driver().cuModuleLoadData_(&module, code.cubin.data()), "cuModuleLoadData");
    modules_.push_back(module);
    CUfunction function = nullptr;
    check(driver().cuModuleGetFunction_(&function, module, code.entry.c_str()), "cuModuleGetFunction");
    prepare(function, code);
    return keep(function);
  } catch (const DriverError& error) {
    if (poisons(error.code)) throw;
    return keep(base::Failure{error.what()});
  }
}

}  // namespace tritonrl::runner
