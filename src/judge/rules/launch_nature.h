#pragma once

#include <cstdint>
#include <vector>

#include "runner/run_outcome.h"

namespace tritonrl::judge {

// What a launch is, told from running it alone on different random data, and on NaN.
enum class LaunchNature : std::uint8_t {
  kComputes,
  kCopies,      // every stored value is a loaded one of the same place in both runs (or nearly: x * 1, x + 1 - 1)
  kScales,      // a copy up to a factor that does not depend on the data: -x, 1.0001 * x
  kRearranges,  // the same from other places, which do not depend on the data
  kConstant,    // stores the same whatever the floats are, NaN too, and takes no other tensors
};

// `alone`: outcomes of RunRequest::alone, the first two with random fills of other seeds and scales, then with positive
// ones and NaN. Anything that did not run to its end, or never stored a number, computes.
LaunchNature nature_of(const std::vector<runner::RunOutcome>& alone);

// The same from runs of Fill::kReal on different draws: what hands on an operand on all of them (x + z, where z is
// always zero) is a copy, whatever it would do to other data. One factor on each draw is a scale, also where they
// differ: x * s, where torch makes s.
LaunchNature nature_on_draws(const std::vector<runner::RunOutcome>& real);

}  // namespace tritonrl::judge
