#include "cli/difference_text.h"

#include <cstdio>
#include <sstream>

namespace tritonrl::cli {
namespace {

constexpr std::size_t kMostShown = 8;  // of each kind; an architecture has hundreds

void write_work(std::ostream& out, const char* what, const std::vector<program::Difference::Work>& work) {
  for (std::size_t i = 0; i < work.size() && i < kMostShown; ++i) {
    char times[48];
    std::snprintf(times, sizeof(times), "%d x, %.1f µs", work[i].calls, work[i].seconds * 1e6);
    out << "  " << what << "  " << work[i].op << "(" << work[i].operands << ")  " << times << "\n";
  }
  if (work.size() > kMostShown) out << "  " << what << "  and " << work.size() - kMostShown << " more\n";
}

}  // namespace

std::string difference_text(const program::Difference& difference) {
  std::ostringstream out;
  char head[160];
  std::snprintf(
      head, sizeof(head), "\nagainst the reference: %.0f %% of its %.1f µs replaced, %.1f µs of ATen work left\n",
      difference.share_replaced() * 100, difference.reference_seconds * 1e6, difference.candidate_seconds * 1e6);
  out << head;
  write_work(out, "replaced", difference.replaced);
  write_work(out, "kept    ", difference.kept);
  write_work(out, "added   ", difference.added);
  for (const program::Difference::Kernel& kernel : difference.kernels) {
    out << "  kernel    " << kernel.name << "  " << kernel.launches << " x\n";
  }
  return out.str();
}

}  // namespace tritonrl::cli
