#include "judge/rules/speed_floor.h"

#include <algorithm>
#include <map>

#include "judge/rules/step_access.h"
#include "program/cost.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

// Bytes of outputs that the forward itself writes.
double written_outputs(const program::Program& program) {
  const program::Forward& last = program.forwards.back();
  std::vector<bool> written(program.storages.size(), false);
  for (const program::Step& step : last.steps) {
    for (const int storage : access_of(program, step).writes) written[static_cast<std::size_t>(storage)] = true;
  }
  std::map<int, double> bytes;
  for (const program::TensorRef ref : runner::tensors_of(last.outputs)) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    if (!written[static_cast<std::size_t>(tensor.storage)]) continue;
    double& most = bytes[tensor.storage];
    most = std::max(most, program::unique_bytes(tensor));
  }
  double out = 0;
  for (const auto& [storage, most] : bytes) out += most;
  return out;
}

// Of the cheapest variant of each launch, in operations of a 16-bit matrix unit.
double matrix_ops(const std::vector<runner::LaunchReport>& launches, int forward) {
  std::map<runner::StepPlace, double> least;
  for (const runner::LaunchReport& launch : launches) {
    if (launch.at.section != runner::Section::kForward || launch.at.forward != forward) continue;
    double ops = 0;
    for (std::size_t i = 0; i < launch.counters.dot_ops.size(); ++i) {
      const auto precision = static_cast<program::Precision>(i);
      const bool narrow = precision == program::Precision::kFp8 || precision == program::Precision::kInt8;
      ops += launch.counters.dot_ops[i] / (narrow ? 2 : 1);
    }
    const auto [found, fresh] = least.try_emplace(launch.at, ops);
    if (!fresh) found->second = std::min(found->second, ops);
  }
  double out = 0;
  for (const auto& [at, ops] : least) out += ops;
  return out;
}

}  // namespace

std::optional<double> floor_us(const program::Program& program, const std::vector<runner::LaunchReport>& launches,
                               const runner::DeviceFacts& gpu, const program::Target& target) {
  if (gpu.bytes_per_second <= 0 || gpu.matrix_ops_per_second <= 0) return std::nullopt;
  const double bytes = std::max(0.0, written_outputs(program) - static_cast<double>(target.l2_bytes));
  const double ops = matrix_ops(launches, static_cast<int>(program.forwards.size()) - 1);
  return 1e6 * std::max(bytes / gpu.bytes_per_second, ops / gpu.matrix_ops_per_second);
}

}  // namespace tritonrl::judge
