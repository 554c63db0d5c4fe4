#pragma once

#include <string>

#include "cli/machine.h"

namespace tritonrl::cli {

// tritonrl-runner, tritonrl-device and tritonrl-model link torch's libraries and find them in the interpreter's own
// torch, wherever this program lies. These are the folders for the loader (base/loader_path.h), Arrow's among them.
// The interpreter is asked only where the build does not know it. One that was not chosen by --python or
// TRITONRL_PYTHON and has another torch gives way to the build's own, while that is there. Empty: the build had no
// torch. UserError: the torch is not one for which this program was built, and what to do.
std::string library_folders(const MachineOptions& options);
// Of an interpreter that was asked already.
std::string library_folders(const MachineOptions& options, const python::Interpreter& interpreter);

// Loads Arrow's libraries from the interpreter's pyarrow, if they are there: a library of ours that needs them finds
// them then. For a program that started without these folders.
void load_arrow(const MachineOptions& options);

// Of torch: programs that were built for 2.13.0 work with all of 2.13. A CUDA wheel's has the same names as a CPU
// wheel's.
bool same_release(const std::string& version, const std::string& other);

}  // namespace tritonrl::cli
