#pragma once

#include <ATen/core/Tensor.h>

#include <map>

#include "runner/device/cuda_kernels.h"
#include "runner/process/kernel_executor.h"
#include "runner/process/storages.h"

namespace tritonrl::runner {

// Launches by CUDA's driver, on the stream that torch uses.
class CudaExecutor : public KernelExecutor {
 public:
  CudaExecutor(const RunRequest& request, Storages& storages, CudaKernels& kernels);

  LaunchReport launch(const program::Launch& launch, const LaunchChoice& choice) override;
  LaunchReport launch_alone(const program::Launch& launch, const LaunchChoice& choice, const Alone& alone,
                            std::vector<AloneStorage>* operands) override;

  // Each launch is waited for, so that it is known which one failed.
  void wait_for_each(bool yes) { waits_ = yes; }
  // Of launches with several variants all are timed where they stand, and the fastest is kept, as Triton's autotuner
  // does. What they leave in memory is of no use.
  void tune(bool yes) { tunes_ = yes; }
  const std::map<StepPlace, LaunchChoice>& tuned() const { return tuned_; }
  void set_tuned(std::map<StepPlace, LaunchChoice> tuned) { tuned_ = std::move(tuned); }

 private:
  LaunchReport launch_one(const program::Launch& launch, const LaunchChoice& choice);
  void enqueue(const program::LaunchVariant& variant, const KernelImage& image, CUfunction function);
  void find_fastest(const program::Launch& launch, const StepPlace& at);
  double milliseconds_of(const program::Launch& launch, const LaunchChoice& choice);

  const RunRequest& request_;
  Storages& storages_;
  CudaKernels& kernels_;
  bool waits_ = true, tunes_ = false;
  std::map<StepPlace, LaunchChoice> tuned_;
  std::map<std::int64_t, at::Tensor> scratch_;  // by size
};

}  // namespace tritonrl::runner
