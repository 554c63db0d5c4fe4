#pragma once

#include <vector>

#include "base/fields.h"
#include "rl/group.h"

namespace tritonrl::rl {

// Best-of-N: which answers to a task are imitated.
struct BestOfOptions {
  int keep_best = 3;          // of each task at most
  double reward_floor = 0.7;  // what an answer must earn at least: 0.7 is right on every input
  int replay_rounds = 0;      // winners of so many rounds before are trained on again

  void fields(base::FieldVisitor& field);
};

// A decision for each answer of the group, in their order: "kept" for the best, by reward, then speed, then the shorter
// one, then the first; else why not: "not_judged", "below_floor", "duplicate" (another one of the same program is
// better), "not_top".
std::vector<track::Decision> choose_best(std::int64_t round, const Group& group, const BestOfOptions& options);

}  // namespace tritonrl::rl
