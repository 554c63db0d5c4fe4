#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "check/report.h"
#include "machine/machine.h"
#include "python/interpreter.h"

namespace tritonrl::check {

struct CheckOptions {
  python::Interpreter interpreter;
  std::string library;                 // libtritonrl_check_machine.so
  std::string target = "h200";         // GPU to imitate and to model
  std::vector<std::string> arguments;  // of the scripts, as sys.argv has them
  bool quiet = false;                  // what the scripts print is left out
  bool all_configs = false;            // autotuners run all their configurations; else the first
  bool all_sizes = false;              // benchmarks run all their sizes; else the first
  double script_seconds = 0;           // after which a script is ended; 0: never
  machine::MachineOptions machine;     // of each launch
};

// Runs scripts as their author would, one after the other in processes forked from one warm Python, without a GPU: each
// launch of a Triton kernel is executed by the kernel machine on the tensors as they are, with every access checked,
// and the script goes on with the results. Scripts are trusted and not confined; their output is ours. UserError if the
// interpreter cannot serve or a script is not there.
Report check(const std::vector<std::filesystem::path>& scripts, const CheckOptions& options);

}  // namespace tritonrl::check
