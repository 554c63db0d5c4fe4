#include "runner/device/cuda_executor.h"

#include <ATen/ops/empty.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <array>
#include <chrono>
#include <cstring>
#include <limits>

#include "machine/launch_arguments.h"
#include "runner/device/driver.h"
#include "runner/device/stopwatch.h"
#include "runner/device/tensor_map.h"
#include "runner/process/stop.h"

namespace tritonrl::runner {
namespace {

constexpr int kThreadsOfWarp = 32;
constexpr int kTuningRuns = 5;  // of each configuration, the first one not counted

LaunchReport refused(machine::Finding::Kind kind, const std::string& why) {
  LaunchReport out;
  machine::Finding& finding = out.findings.emplace_back();
  finding.kind = kind;
  finding.message = why;
  return out;
}

machine::Finding::Kind finding_of(CUresult code) {
  switch (code) {
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return machine::Finding::Kind::kMisaligned;
    case CUDA_ERROR_ASSERT:
      return machine::Finding::Kind::kAssert;
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return machine::Finding::Kind::kTimeout;
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      return machine::Finding::Kind::kNotExecutable;
    default:
      return machine::Finding::Kind::kOutOfBounds;
  }
}

// One parameter as the kernel's function wants it. All have the size of the largest kind: how many bytes the driver
// reads is what an untrusted compiler wrote into the cubin.
struct alignas(CUtensorMap) Slot {
  std::array<std::byte, sizeof(CUtensorMap)> bytes{};
};

template <class T>
Slot slot_of(const T& value) {
  static_assert(sizeof value <= sizeof(Slot));
  Slot out;
  std::memcpy(out.bytes.data(), &value, sizeof value);
  return out;
}

Slot number_slot(double value, const std::string& type) {
  if (type == "fp64") return slot_of(value);
  if (type == "fp16") return slot_of(c10::Half(static_cast<float>(value)));
  if (type == "bf16") return slot_of(c10::BFloat16(static_cast<float>(value)));
  return slot_of(static_cast<float>(value));
}

Slot plain_slot(const machine::Argument& argument, const std::string& type) {
  if (const auto* pointer = std::get_if<machine::PointerArgument>(&argument)) return slot_of(pointer->address);
  if (const auto* number = std::get_if<double>(&argument)) return number_slot(*number, type);
  // integers are stored little end first: a narrower parameter reads the low bytes
  const auto integer = std::get<std::int64_t>(argument);
  return type.starts_with("fp") || type == "bf16" ? number_slot(static_cast<double>(integer), type) : slot_of(integer);
}

std::vector<Slot> slots_of(const std::vector<machine::Argument>& arguments, const KernelImage& image) {
  std::vector<Slot> out;
  std::size_t descriptors = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* descriptor = std::get_if<machine::DescriptorArgument>(&arguments[i]);
    if (descriptor == nullptr) {
      out.push_back(plain_slot(arguments[i], image.signature[i].type));
      continue;
    }
    if (descriptors == image.code->descriptors.size()) {
      throw Stop{RunOutcome::Kind::kNotExecutable, "the machine code does not say how its descriptors are laid out"};
    }
    out.push_back(slot_of(tensor_map_of(*descriptor, image.code->descriptors[descriptors++])));
  }
  return out;
}

}  // namespace

CudaExecutor::CudaExecutor(const RunRequest& request, Storages& storages, CudaKernels& kernels)
    : request_(request), storages_(storages), kernels_(kernels) {}

void CudaExecutor::enqueue(const program::LaunchVariant& variant, const KernelImage& image, CUfunction function) {
  const MachineCode& code = *image.code;
  const auto [x, y, z] = variant.grid;
  if (x * y * z == 0) return;
  const auto arguments = machine::arguments_of(*request_.program, variant, image.signature, [&](int storage) {
    return reinterpret_cast<std::uint64_t>(storages_.data(storage));
  });
  if (!arguments.ok()) throw Stop{RunOutcome::Kind::kNotExecutable, arguments.error()};
  std::vector<Slot> slots = slots_of(arguments.value(), image);
  void* scratch = nullptr;
  if (code.scratch_bytes > 0) {
    const std::int64_t bytes = code.scratch_bytes * x * y * z * std::max(1, code.num_ctas);
    at::Tensor& memory = scratch_[bytes];
    if (!memory.defined()) memory = at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(storages_.device()));
    scratch = memory.mutable_data_ptr();
  }
  slots.push_back(slot_of(scratch));
  slots.push_back(slot_of(static_cast<void*>(nullptr)));  // of Triton's profiler
  std::vector<void*> parameters;
  for (Slot& slot : slots) parameters.push_back(slot.bytes.data());

  CUlaunchAttribute attributes[3];
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(x * std::max(1, code.num_ctas));
  config.gridDimY = static_cast<unsigned>(y);
  config.gridDimZ = static_cast<unsigned>(z);
  config.blockDimX = static_cast<unsigned>(kThreadsOfWarp * code.num_warps);
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(code.shared_bytes);
  config.attrs = attributes;
  if (code.cooperative) {
    CUlaunchAttribute& one = attributes[config.numAttrs++];
    one.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    one.value.cooperative = 1;
  }
  if (code.num_ctas > 1) {
    CUlaunchAttribute& cluster = attributes[config.numAttrs++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {static_cast<unsigned>(code.num_ctas), 1, 1};
    CUlaunchAttribute& policy = attributes[config.numAttrs++];
    policy.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
    policy.value.clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
  }
  check(driver().cuLaunchKernelEx_(&config, function, parameters.data(), nullptr), "launch");
}

LaunchReport CudaExecutor::launch_one(const program::Launch& launch, const LaunchChoice& choice) {
  const program::LaunchVariant& variant = launch.variants[static_cast<std::size_t>(choice.variant)];
  const KernelImage& image = request_.images[static_cast<std::size_t>(choice.image)];
  LaunchReport out;
  out.variant = choice.variant;
  try {
    if (!image.code) return refused(machine::Finding::Kind::kNotExecutable, "there is no machine code of the kernel");
    const base::Result<CUfunction>& function = kernels_.find(*image.code);
    if (!function.ok()) return refused(machine::Finding::Kind::kNotExecutable, function.error());
    for (const program::LaunchArgument& argument : variant.arguments) {
      program::for_each_tensor(argument.value, [&](program::TensorRef ref) { storages_.ensure(ref); });
    }
    enqueue(variant, image, function.value());
    if (waits_) check(driver().cuCtxSynchronize_(), "kernel");
    for (const program::LaunchArgument& argument : variant.arguments) {
      program::for_each_tensor(argument.value,
                               [&](program::TensorRef ref) { storages_.define(storages_.tensor(ref).storage); });
    }
  } catch (const DriverError& error) {
    return refused(finding_of(error.code), error.what());
  }
  out.completed = true;
  return out;
}

LaunchReport CudaExecutor::launch(const program::Launch& launch, const LaunchChoice& choice) {
  if (tunes_ && launch.variants.size() > 1 && !tuned_.contains(choice.at)) find_fastest(launch, choice.at);
  const auto best = tuned_.find(choice.at);
  return launch_one(launch, best == tuned_.end() ? choice : best->second);
}

void CudaExecutor::find_fastest(const program::Launch& launch, const StepPlace& at) {
  double least = std::numeric_limits<double>::infinity();
  for (const LaunchChoice& choice : request_.launches) {
    if (!(choice.at == at)) continue;
    const double taken = milliseconds_of(launch, choice);
    if (taken >= least) continue;
    least = taken;
    tuned_[at] = choice;
  }
}

double CudaExecutor::milliseconds_of(const program::Launch& launch, const LaunchChoice& choice) {
  double least = std::numeric_limits<double>::infinity();
  Stopwatch watch;
  for (int i = 0; i < kTuningRuns; ++i) {
    watch.start();
    if (!launch_one(launch, choice).completed) return std::numeric_limits<double>::infinity();
    watch.stop();
    const double taken = watch.milliseconds();
    if (i > 0) least = std::min(least, taken);
  }
  return least;
}

LaunchReport CudaExecutor::launch_alone(const program::Launch&, const LaunchChoice&, const Alone&,
                                        std::vector<AloneStorage>*) {
  return refused(machine::Finding::Kind::kNotExecutable, "launches are run alone by the kernel machine");
}

}  // namespace tritonrl::runner
