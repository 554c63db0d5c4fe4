#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "program/program.h"

namespace tritonrl::python {

// The name of the composed file in locations of the IR.
inline constexpr const char* kSourceFile = "kernel.py";

// A recorded kernel as one Python file: its imports, its constants, each of its functions under triton.jit, without
// comments and empty lines, so that kernels that differ in nothing else are compiled once; and where each line came
// from.
struct KernelText {
  struct Function {
    std::string name;
    int first_line = 0;  // of its `def`, in `text`
    int lines = 0;
    program::SourceLine at;      // of its `def`, in the user's file
    std::vector<int> from = {};  // of each line, how many lines below `at` it stood
  };
  std::string text;
  std::vector<Function> functions;

  // The function that holds a line of `text`; null for a line between them.
  const Function* function_at(int line) const;
  // The user's line; file -1 where there is none.
  program::SourceLine original(int line) const;
  // A line of `text` without its indentation; empty if there is none.
  std::string code(int line) const;
};

// A Failure says why the kernel is no set of jit functions, constants and imports that may be compiled. The process
// that compiles looks closer, with Python's parser.
base::Result<KernelText> compose(const program::Kernel& kernel);

}  // namespace tritonrl::python
