#include "judge/products.h"

#include <set>

#include "judge/rules/work.h"

namespace tritonrl::judge {

double part_of_products(const program::Program& reference, const program::Program& candidate,
                        const std::vector<runner::LaunchReport>& launches) {
  const double wanted = torch_work(reference, false).sum(program::WorkKind::kContraction);
  if (wanted <= 0) return 0;
  double done = torch_work(candidate, false).sum(program::WorkKind::kContraction);
  const int last = static_cast<int>(candidate.forwards.size()) - 1;
  std::set<runner::StepPlace> seen;  // one configuration of each
  for (const runner::LaunchReport& one : launches) {
    if (one.at.section != runner::Section::kForward || one.at.forward != last || !seen.insert(one.at).second) continue;
    for (const double ops : one.counters.dot_ops) done += ops;
    done += one.counters.float_ops + one.counters.double_ops;
  }
  return done / wanted;
}

}  // namespace tritonrl::judge
