#pragma once

#include <optional>
#include <string>

#include "python/kernel_compiler.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// One warm compiler for all tests of a program.
python::KernelCompiler& test_compiler();

// Compiles all launches of the request's program, in the given variant (the last where there are fewer), and completes
// the request with them. What the compiler says where it refuses one.
std::optional<std::string> compile_launches(RunRequest& request, int variant = 0);

}  // namespace tritonrl::runner
