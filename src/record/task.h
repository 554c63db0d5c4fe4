#pragma once

#include <filesystem>
#include <string>

namespace tritonrl::record {

// A problem to solve: Python source in KernelBench's form (`Model`, `get_inputs`, `get_init_inputs`) or KernelBook's
// (another class name, `get_init_inputs` as [args, kwargs]).
struct Task {
  std::string id;           // the file's name, or the data set's own id
  std::string source;       // Python
  std::string entry_point;  // the class; empty: `Model`, or else the last module class that the source defines
};

// UserError if the file is missing, a directory, empty or over 16 MiB.
Task read_task(const std::filesystem::path& path);

}  // namespace tritonrl::record
