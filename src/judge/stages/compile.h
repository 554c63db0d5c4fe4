#pragma once

#include <optional>

#include "judge/stages/record.h"

namespace tritonrl::judge {

// The candidate at every size, recorded and compiled: at the real sizes to machine code, for all variants. Those beside
// `real` may refuse their size (SizedCandidate::refusal).
struct Compiled {
  SizedCandidate real;
  std::optional<SizedCandidate> small, tiny, odd, half;
};

// Stage compile: it records at the real sizes, keeps the rules on programs, compiles for the target, and does the same
// in a second process.
Reached<Compiled> compile_all(const Trial& trial, Recorded recorded, TrialLog& log);

}  // namespace tritonrl::judge
