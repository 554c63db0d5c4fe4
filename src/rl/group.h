#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/verdict.h"
#include "track/ledger.h"

namespace tritonrl::rl {

// An answer with what the judge says; no verdict: it could not be judged, through no fault of its own.
struct JudgedSample {
  track::LedgerSample sample;
  std::optional<record::Verdict> verdict;

  // Something may be learnt from it.
  bool judged() const { return verdict && is_judged(verdict->kind) && verdict->reward; }
  bool correct() const { return judged() && verdict->kind == record::VerdictKind::kPassed; }
  double reward() const { return *verdict->reward; }
  double speedup() const { return correct() && verdict->timing ? verdict->timing->speedup : 0; }
  std::int64_t length() const { return static_cast<std::int64_t>(sample.sample.tokens.size()); }
};

// All answers of a round to one task.
struct Group {
  std::int64_t place = 0;  // in the round
  std::string task;
  int level = 0;
  std::vector<JudgedSample> answers;  // by index
};

}  // namespace tritonrl::rl
