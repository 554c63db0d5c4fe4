#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/memory_estimate.h"

namespace tritonrl::train {

// What a plan may choose, and within what.
struct PlanRequest {
  MemoryQuestion question;  // eight_bit, recompute and pass_tokens: what was asked for, where it is not free
  bool free_eight_bit = true, free_recompute = true, free_pass = true;
  std::int64_t longest = 2048;        // tokens of the longest sequence
  std::int64_t batch_tokens = 16384;  // of a step; a pass has no more, unless one sequence has
  std::int64_t memory = 0;            // bytes that the device has
};

// How a model is trained on a device.
struct MemoryPlan {
  bool fits = false;
  MemoryQuestion chosen;  // where nothing fits, the least that was tried
  MemoryEstimate estimate;
  std::int64_t needed = 0;   // the estimate, what sampling takes beside it, and what the device's own library takes
  std::int64_t allowed = 0;  // part of the memory that is planned with
  std::vector<std::string> reasons;  // a line for each way that was tried
  std::string smaller_model;         // the largest of those we know that would fit; where this one does not
};

// In this order: weights in their own type; in 8 bits, which costs less time than recomputation; with recomputation.
// The first that has room for a sequence is taken, with the largest power of two of sequences a pass that fits.
MemoryPlan plan_memory(const PlanRequest& request);

// The estimate as a table, and what was chosen and why: lines for a person.
std::vector<std::string> plan_text(const MemoryPlan& plan, const PlanRequest& request);

}  // namespace tritonrl::train
