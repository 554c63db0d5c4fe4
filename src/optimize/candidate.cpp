#include "optimize/candidate.h"

namespace tritonrl::optimize {

bool is_faster(const record::Verdict& verdict) {
  if (!verdict.timing) return false;
  const record::Timing& timing = *verdict.timing;
  if (!timing.measured) return timing.speedup > 1;
  if (timing.compile_us && *timing.compile_us <= timing.candidate_us) return false;
  return timing.speedup_low > 1 && timing.reference_us > timing.candidate_us;
}

}  // namespace tritonrl::optimize
