#pragma once

#include <optional>

#include "judge/stages/base.h"

namespace tritonrl::judge {

// A candidate that is wrong at some size, and right where its blocks divide the sizes: kernels without masks are so,
// and at the task's own sizes they are right.
struct OwnSizes {
  Base base;      // where it is right
  Finding other;  // what is wrong elsewhere
};

// Whether this may be a matter of sizes: other values, or an access beside its tensors.
bool depends_on_size(const DrawResult& result);

// Of one that is wrong as `other` says, at a size that its blocks need not divide: where it is right. That is `small`
// or multiples of its blocks, and without a GPU, which computes the task's own sizes, two more of those that nobody
// knows: else a kernel that is right at one size that we happen to try would do. Nothing: there is no such size.
std::optional<OwnSizes> find_own_sizes(const Trial& trial, const Compiled& compiled, const Finding& other);

// The same where a base is known at which the candidate is right.
bool holds_where_blocks_fit(const Trial& trial, const SizedCandidate& real, const Base& base);

}  // namespace tritonrl::judge
