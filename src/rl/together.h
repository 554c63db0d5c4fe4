#pragma once

#include <cstdint>
#include <span>

#include "rl/loop.h"
#include "rl/ranks.h"
#include "rl/rollouts.h"
#include "rl/shares.h"

namespace tritonrl::rl {

// Of order and dropout in a round's training: the same on all ranks.
std::uint64_t learning_seed(const RlRun& run, std::int64_t round);

// This rank's part of a round: its share of the tasks, answered and judged. The first one's ledger has the answers of
// all then.
RoundAnswers answer_together(const RlRun& run, Ranks& ranks, const RoundCall& call, std::span<const AskedTask> tasks);

// A rank behind the first: it does what it is told until nothing is left.
RlOutcome follow_first(const RlRun& run, Ranks& ranks);

}  // namespace tritonrl::rl
