#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tritonrl::data {

// A task from any source, perhaps with a solution.
struct Example {
  std::string id;                     // "kernelbook/17", "kernelbench/level1/23_Softmax", "modules/net/block.py"
  std::string source;                 // "kernelbook", "pairs" (the report's form), "kernelbench" or "modules"
  std::string pytorch_code;           // valid UTF-8
  std::string solution;               // Triton code that defines ModelNew; empty: a task alone
  std::string no_solution;            // why there is none, where one was to be expected
  std::string entry_point;            // the task's class; empty: found in the text
  std::string repository;             // "owner/name"; may be empty
  std::vector<std::string> licenses;  // as the data set names them
  bool states_licenses = false;       // the data set has a column for them
  int own_level = 0;                  // KernelBench's, 1 to 4; 0: none
  std::int64_t problem = 0;           // KernelBench's number
  std::string degenerate;             // why its output cannot be trusted as a test
};

}  // namespace tritonrl::data
