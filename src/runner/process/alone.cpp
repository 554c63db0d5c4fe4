// One launch on operands of our choice: what shows whether a kernel computes, copies or writes constants.
#include <algorithm>

#include "runner/process/garbage.h"
#include "runner/process/launches.h"

namespace tritonrl::runner {
namespace {

std::vector<AloneStorage> operands_of(const program::LaunchVariant& variant, Storages& storages) {
  std::vector<AloneStorage> out;
  for (const program::LaunchArgument& argument : variant.arguments) {
    program::for_each_tensor(argument.value, [&](program::TensorRef ref) {
      const program::Tensor& tensor = storages.tensor(ref);
      const bool known =
          std::any_of(out.begin(), out.end(), [&](const AloneStorage& one) { return one.storage == tensor.storage; });
      if (known) return;
      AloneStorage& one = out.emplace_back();
      one.storage = tensor.storage;
      one.dtype = tensor.dtype;
      one.argument = argument.name;
    });
  }
  return out;
}

void refill(const AloneStorage& operand, const Alone& alone, Storages& storages) {
  std::byte* data = storages.data(operand.storage);
  const std::int64_t bytes = storages.bytes(operand.storage);
  if (alone.fill == Alone::Fill::kNan) fill_with_nan(data, bytes, operand.dtype);
  const bool positive = alone.fill == Alone::Fill::kPositive;
  if (alone.fill == Alone::Fill::kRandom || positive) {
    const auto key = mixed(alone.seed, static_cast<std::uint64_t>(operand.storage));
    fill_with_normals(data, bytes, operand.dtype, alone.scale, positive, key);
  }
}

std::string bytes_of(int storage, Storages& storages) {
  return {reinterpret_cast<const char*>(storages.data(storage)), static_cast<std::size_t>(storages.bytes(storage))};
}

}  // namespace

LaunchReport MachineExecutor::launch_alone(const program::Launch& launch, const LaunchChoice& choice,
                                           const Alone& alone, std::vector<AloneStorage>* operands) {
  *operands = operands_of(launch.variants[static_cast<std::size_t>(choice.variant)], storages_);
  for (AloneStorage& operand : *operands) {
    machine::Allocation& allocation = storages_.allocation(operand.storage);
    refill(operand, alone, storages_);
    operand.before = bytes_of(operand.storage, storages_);
    // what is no longer undefined afterwards has been written
    allocation.undefined.assign(static_cast<std::size_t>(allocation.bytes), 1);
  }
  const machine::MachineOptions usual = options_;
  options_.check_undefined = false;
  LaunchReport report = this->launch(launch, choice);
  options_ = usual;
  for (AloneStorage& operand : *operands) {
    operand.after = bytes_of(operand.storage, storages_);
    const std::vector<std::uint8_t>& undefined = storages_.allocation(operand.storage).undefined;
    operand.written.assign(operand.after.size(), 1);
    for (std::size_t i = 0; i < undefined.size(); ++i) operand.written[i] = undefined[i] == 0;
  }
  return report;
}

}  // namespace tritonrl::runner
