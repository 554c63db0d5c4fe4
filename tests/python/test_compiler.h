#pragma once

#include <string>
#include <vector>

#include "python/kernel_compiler.h"

namespace tritonrl::python {

// Options of a compiler under test: the build's interpreter (or TRITONRL_PYTHON) and library, the best sandbox of this
// machine, no cache.
KernelCompilerOptions test_compiler_options();

// One warm compiler for all tests of a program.
KernelCompiler& test_compiler();

// A kernel and its launch, built from text as the recorder would have captured it. `source`: functions from their `def`
// on, the kernel first; lines are those of a file that begins with it. `triton.language` is imported as tl.
struct TestKernel {
  program::Kernel kernel;
  program::LaunchVariant variant;

  CompileRequest request(const char* target = "h200", bool machine_code = false) const;
};

struct TestArgument {
  std::string name, type;
  program::Value value;
};

TestKernel make_kernel(const std::string& source, std::vector<TestArgument> arguments);

program::Value integer(std::int64_t value);
program::Value symbol(const std::string& name);

}  // namespace tritonrl::python
