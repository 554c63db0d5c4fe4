#pragma once

#include <chrono>
#include <map>

#include "machine/machine.h"
#include "runner/process/kernel_executor.h"
#include "runner/process/ready_kernels.h"
#include "runner/process/storages.h"

namespace tritonrl::runner {

// Launches by the kernel machine.
class MachineExecutor : public KernelExecutor {
 public:
  MachineExecutor(const RunRequest& request, Storages& storages, ReadyKernels& kernels);

  LaunchReport launch(const program::Launch& launch, const LaunchChoice& choice) override;

  LaunchReport launch_alone(const program::Launch& launch, const LaunchChoice& choice, const Alone& alone,
                            std::vector<AloneStorage>* operands) override;

  machine::MachineOptions& options() { return options_; }

 private:
  const base::Result<machine::Kernel>& kernel(int image);
  void name_operands(const program::LaunchVariant& variant);
  machine::MachineOptions options_now() const;

  const RunRequest& request_;
  Storages& storages_;
  machine::MachineOptions options_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  ReadyKernels& kernels_;
  std::map<int, const base::Result<machine::Kernel>*> by_image_;
};

}  // namespace tritonrl::runner
