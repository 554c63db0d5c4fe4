#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/prompt.h"

namespace tritonrl::data {

// What the judge says of a solution.
struct Checked {
  bool passed = false;
  std::string kind;     // the verdict's
  std::string message;  // why it did not pass
};

// A task from any source, perhaps with a solution.
struct Example {
  std::string id;      // "kernelbook/17", "kernelbench/level1/23_Softmax", "modules/net/block.py"
  std::string source;  // "kernelbook", "pairs" (the report's form), "kernelbench", "modules", "package" or "generated"
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

  // Of what the teacher wrote.
  bool needs_inputs = false;            // a class without get_inputs: its arguments and inputs are to be found by trial
  bool rewritten = false;               // the solution is the teacher's, of this module
  std::string policy, variant, family;  // record/training_pair.h
  std::string plan;                     // that the solution follows (teacher/plan/plan.h)
  std::optional<Checked> checked;       // where it was judged when it was written
  std::vector<text::LeafFact> facts;    // what a prompt can tell of the module's values
  // The same module under other names, with its solution.
  struct Copy {
    std::string pytorch_code, solution, plan;
    std::vector<text::LeafFact> facts;
  };
  std::vector<Copy> copies;
  // Of generated modules, which need no labelling: level 1 to 3, operators and their hash.
  int level = 0;
  bool lone_of_benchmark = false;  // one operator that is a benchmark's task, which was asked for
  std::string operator_hash;
  std::vector<std::string> operators;
};

}  // namespace tritonrl::data
