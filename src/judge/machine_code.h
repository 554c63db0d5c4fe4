#pragma once

#include "program/program.h"
#include "python/kernel_compiler.h"
#include "runner/run_request.h"

namespace tritonrl::judge {

// What a GPU's driver needs of a compiled kernel, started as this variant of a launch says.
runner::MachineCode machine_code_of(const python::CompiledKernel& kernel, const program::LaunchVariant& variant);

}  // namespace tritonrl::judge
