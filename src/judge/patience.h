#pragma once

#include <utility>

#include "base/error.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// Time that the machine did not give says nothing of a candidate: one that is late because a process of it was denied
// the processor is judged once more, with `kPatience` times all limits of time. InfrastructureError: that was not
// enough.
constexpr int kPatience = 4;

struct Tried {
  record::Verdict verdict;
  bool starved = false;
};

// `judge_once(patience)` gives a Tried.
template <typename JudgeOnce>
record::Verdict judged_patiently(const JudgeOnce& judge_once) {
  for (const int patience : {1, kPatience}) {
    Tried tried = judge_once(patience);
    if (tried.verdict.kind != record::VerdictKind::kTimeout || !tried.starved) return std::move(tried.verdict);
  }
  throw base::InfrastructureError("judge",
                                  "the machine is too busy: a process of the candidate got less than a "
                                  "third of the processor time that it asked for; use fewer workers");
}

}  // namespace tritonrl::judge
