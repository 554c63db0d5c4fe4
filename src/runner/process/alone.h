#pragma once

#include "runner/process/launches.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Executes one launch on operands that hold what `alone` says, and keeps what it did to each.
LaunchReport launch_alone(const program::Launch& launch, const LaunchChoice& choice, const Alone& alone,
                          Storages& storages, MachineExecutor& executor, std::vector<AloneStorage>* operands);

}  // namespace tritonrl::runner
