#pragma once

#include <optional>
#include <vector>

#include "judge/run_batch.h"
#include "judge/stages/base.h"
#include "judge/stages/real_values.h"
#include "judge/stages/verify_tiny.h"

namespace tritonrl::judge {

// A few programs of each launch, executed at the task's own sizes: for bounds, for the time model, and to see what runs
// there.
struct RealSample {
  int variant = 0;
  runner::RunRequest how;
  runner::RunOutcome outcome;
};

// Adds these runs to a batch, which fills `out` (it must live until then).
void plan_real_sizes(const Trial& trial, const SizedCandidate& real, const Verified& verified, const RealValues& values,
                     RunBatch& batch, std::vector<RealSample>* out);

// `verified_products`: part_of_products (judge/products.h) of the base. What the samples show. Where something runs at
// the real sizes that no verified run executed, larger sizes are computed first. With a GPU, which computes the real
// sizes as a whole, samples serve the model alone.
struct RealSizes {
  std::optional<Finding> wrong;
  std::vector<runner::LaunchReport> launches;  // empty: nothing to model
  // The programs that were executed account for a part of the reference's products alone, where those of every run that
  // was executed whole did all of them: others may do the rest.
  bool time_in_doubt = false;
};
RealSizes check_real_sizes(const Trial& trial, const SizedCandidate& real, RealValues& values,
                           std::vector<RealSample> samples, const Base& base, const Verified& verified,
                           const Reach& verified_reach, double verified_products, TrialLog& log);

}  // namespace tritonrl::judge
