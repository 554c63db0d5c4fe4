#include "judge/rules/groups.h"

// Rules on what the hardware would be given: grids that it takes.

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kGridX = (std::int64_t{1} << 31) - 1, kGridYZ = 65535;

Checked grid_too_large(const Evidence& evidence) {
  for (const program::Step& step : evidence.candidate->forwards.back().steps) {
    const auto* launch = std::get_if<program::Launch>(&step);
    if (launch == nullptr) continue;
    for (const program::LaunchVariant& variant : launch->variants) {
      const auto& grid = variant.grid;
      if (grid[0] >= 0 && grid[0] <= kGridX && grid[1] <= kGridYZ && grid[2] <= kGridYZ) continue;
      return Violation{"the grid (" + std::to_string(grid[0]) + ", " + std::to_string(grid[1]) + ", " +
                           std::to_string(grid[2]) + ") is beyond the hardware's 2147483647 x 65535 x 65535",
                       launch->at, "put the largest dimension first, or loop inside the kernel"};
    }
  }
  return std::nullopt;
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kTargetRules[] = {
    {"grid_limit", Stage::kCompile, Kind::kCrashed, LooksAt::kLaunches, "grid_limit", "", grid_too_large,
     "a launch's grid is beyond what the hardware takes"},
};

}  // namespace

std::span<const Rule> target_rules() {
  return kTargetRules;
}

}  // namespace tritonrl::judge
