#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "record/verdict.h"

namespace tritonrl::optimize {

// A file that may become the answer.
struct Candidate {
  std::string
      source;  // who wrote it: "teacher, kernelbench, fast", "model, sample 2", "search, BLOCK 1024 to 512 of …"
  std::string code;             // empty: a model's answer that holds none
  int form = -1;                // of the teacher's; -1: another wrote it
  std::vector<int> lines = {};  // of the module at which its kernels begin
  std::set<int> left_out = {};  // those that were left to torch
  std::optional<std::string> extraction =
      {};  // of a model's answer: how its code was found in it, or why there is none
};

// What became of one.
struct Tried {
  Candidate candidate;
  record::Verdict verdict;
  std::string failed_at;  // of ranges: right at the sizes that are timed, and not at these

  bool passed() const { return verdict.kind == record::VerdictKind::kPassed && failed_at.empty(); }
  // Over what the judge times against; 0 where there is no time.
  double speedup() const { return verdict.timing ? verdict.timing->speedup : 0; }
};

// Whether the candidate is faster than eager torch and, where that was measured, than torch.compile: modelled above 1,
// measured with the whole of its interval.
bool is_faster(const record::Verdict& verdict);

}  // namespace tritonrl::optimize
