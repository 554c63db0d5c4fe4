#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "python/kernel_compiler.h"
#include "tests/machine/kernel_case.h"

namespace tritonrl::machine {

// What a case's kernels become, one entry for each launch.
std::vector<python::CompileOutcome> compile_launches(const KernelCase& kernel_case, python::KernelCompiler& compiler,
                                                     bool machine_code = false);

struct CaseRun {
  std::string fault;                    // why a launch could not even begin; empty: all were tried
  std::vector<LaunchOutcome> launches;  // up to the first that did not complete
  double milliseconds = 0;              // in the machine
};

// Executes the launches in order on the memory, which must be made of the same case.
CaseRun run_launches(const KernelCase& kernel_case, const std::vector<python::CompileOutcome>& compiled,
                     CaseMemory& memory, const MachineOptions& options = {});

}  // namespace tritonrl::machine
