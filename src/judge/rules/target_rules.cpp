#include <algorithm>

#include "judge/rules/groups.h"
#include "runner/structure_tensors.h"

// Rules on what the hardware would be given: grids that it takes, results where they belong.

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kGridX = (std::int64_t{1} << 31) - 1, kGridYZ = 65535;

// Outputs of the last forward lie where the reference's do: a result left on the host is none for the next module.
Checked other_output_place(const Evidence& evidence) {
  const program::Program& reference = *evidence.reference;
  const program::Program& candidate = *evidence.candidate;
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(candidate.forwards.back().outputs);
  const auto place = [](const program::Program& program, program::TensorRef ref) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    return program.storages[static_cast<std::size_t>(tensor.storage)].device;
  };
  for (std::size_t i = 0; i < std::min(want.size(), have.size()); ++i) {
    if (place(reference, want[i]) == place(candidate, have[i])) continue;
    const bool host = place(candidate, have[i]) == program::Device::kHost;
    return Violation{.message = "output " + std::to_string(i) +
                                (host ? " is on the host, the reference's on the GPU"
                                      : " is on the GPU, the reference's on the host"),
                     .advice = "return tensors on the device of the inputs"};
  }
  return std::nullopt;
}

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
    {"output_place", Stage::kTiny, Kind::kWrong, LooksAt::kOutputs, "", "", other_output_place,
     "a result is left on the host, or on the GPU where the reference's is on the host"},
};

}  // namespace

std::span<const Rule> target_rules() {
  return kTargetRules;
}

}  // namespace tritonrl::judge
