#pragma once

#include <span>
#include <string>
#include <vector>

#include "rl/group.h"

namespace tritonrl::rl {

// What the answers of a round were, as named numbers: rates of judged answers ("valid_rate", "compiled_rate",
// "correct_rate", "correct_level1", …), "reward_mean", "stage_reward/STAGE" by where answers ended, counts
// "kind/KIND" and "rule/RULE" (what was tried to be rewarded for nothing shows there), "distinct_programs" and
// "distinct_correct_programs" of a task, "speedup_mean" of right answers, "not_judged".
track::Numbers summary_of(std::span<const Group> groups);

// Marks the winners that a person should look at, the oddest first and `most` of them at most: much faster than the
// others, little work in kernels, right at their own sizes alone, a task that proves little. `decisions` are those of
// the answers; gives a line for each that is marked.
std::vector<std::string> mark_suspects(std::span<const Group> groups, std::vector<track::Decision>& decisions,
                                       std::size_t most);

}  // namespace tritonrl::rl
