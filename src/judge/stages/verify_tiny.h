#pragma once

#include <set>

#include "judge/rules/coverage.h"
#include "judge/stages/own_sizes.h"

namespace tritonrl::judge {

// What runs that were right have shown.
struct Verified {
  std::set<int> variants;  // autotune configurations
  Coverage coverage;
  std::optional<OwnSizes> own = std::nullopt;  // not at all sizes

  void add(const SizedCandidate& candidate, const DrawResult& result);
};

// Stage tiny: right at the smallest sizes that the reference accepts, in every configuration. Nothing is verified where
// there is no such size, or the candidate or the hardware refuses it, or its blocks do not divide it (Verified::own).
Reached<Verified> verify_tiny(const Trial& trial, const Compiled& compiled, TrialLog& log);

inline constexpr int kMaxVariants = static_cast<int>(kMostVariants);  // configurations that are executed

}  // namespace tritonrl::judge
