#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "program/program.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Executes launches on the storages of a run: the kernel machine here, a GPU's driver elsewhere.
class KernelExecutor {
 public:
  virtual ~KernelExecutor() = default;

  // The report's place is the caller's to fill in. What the kernel does wrong is in its findings.
  virtual LaunchReport launch(const program::Launch& launch, const LaunchChoice& choice) = 0;

  // The same on operands that hold what `alone` says; keeps what the launch did to each.
  virtual LaunchReport launch_alone(const program::Launch& launch, const LaunchChoice& choice, const Alone& alone,
                                    std::vector<AloneStorage>* operands) = 0;
};

using MakeExecutor = std::function<std::unique_ptr<KernelExecutor>(const RunRequest&, Storages&)>;

// What a launch that did not complete makes of the run.
RunOutcome::Kind kind_of(const LaunchReport& report);

}  // namespace tritonrl::runner
