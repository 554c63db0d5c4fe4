#pragma once

#include <map>
#include <string>
#include <vector>

#include "teacher/typing/infer_facts.h"
#include "tests/teacher/traced/traced_module.h"

namespace tritonrl::teacher {

// What inference told of a module, against what a traced run saw.
struct Comparison {
  int tensors = 0, tensors_missing = 0;  // expressions that are tensors; of which nothing was inferred
  int others = 0, others_missing = 0;    // numbers, texts, flags, lists, modules
  std::vector<std::string> wrong;        // "12:8 x.relu(): float32[2, 3], inferred float32[3]"
  std::vector<std::string> missing;      // tensors, the first few
  std::vector<std::string> missing_others;
};

// `host_in_forward`: the module's own code uses tensors of the host, which facts do not tell from the target's.
Comparison compare_facts(const TracedModule& traced, const Inferred& inferred, bool host_in_forward);

}  // namespace tritonrl::teacher
