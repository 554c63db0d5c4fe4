#include "runner/process/launches.h"

#include <algorithm>

#include "base/error.h"
#include "machine/launch_arguments.h"
#include "program/target.h"

namespace tritonrl::runner {
namespace {

const program::Target* target_named(const std::string& name) {
  try {
    return &program::find_target(name);
  } catch (const base::UserError&) {
    return nullptr;  // the machine then takes its default
  }
}

LaunchReport refused(const std::string& why) {
  LaunchReport out;
  machine::Finding& finding = out.findings.emplace_back();
  finding.kind = machine::Finding::Kind::kNotExecutable;
  finding.message = why;
  return out;
}

}  // namespace

MachineExecutor::MachineExecutor(const RunRequest& request, Storages& storages, ReadyKernels& kernels)
    : request_(request), storages_(storages), options_(request.machine), kernels_(kernels) {
  options_.target = target_named(request.program->target);
  options_.sample = request.sample;
  options_.sample_seed = request.garbage_seed;
  // a few programs of many hardly meet, and the notes for it are larger than the tensors
  if (request.sample > 0 && request.sample < kAllPrograms) options_.check_races = false;
}

const base::Result<machine::Kernel>& MachineExecutor::kernel(int image) {
  const auto*& known = by_image_[image];
  if (known == nullptr) known = &kernels_.find(request_.images[static_cast<std::size_t>(image)]);
  return *known;
}

// Messages name the kernel's own parameters; the first of several names for one storage is kept.
void MachineExecutor::name_operands(const program::LaunchVariant& variant) {
  for (std::size_t i = variant.arguments.size(); i-- > 0;) {
    program::for_each_tensor(variant.arguments[i].value, [&](program::TensorRef ref) {
      storages_.allocation(storages_.tensor(ref).storage, variant.arguments[i].name);
    });
  }
}

// A launch gives up before the process is killed, so that what it found is told.
machine::MachineOptions MachineExecutor::options_now() const {
  machine::MachineOptions out = options_;
  if (request_.wall_ms <= 0) return out;
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_);
  const std::int64_t left = request_.wall_ms - request_.wall_ms / 10 - spent.count();
  out.wall_ms = std::max<std::int64_t>(1, std::min(left, out.wall_ms));
  return out;
}

LaunchReport MachineExecutor::launch(const program::Launch& launch, const LaunchChoice& choice) {
  const auto begin = std::chrono::steady_clock::now();
  const program::LaunchVariant& variant = launch.variants[static_cast<std::size_t>(choice.variant)];
  const KernelImage& image = request_.images[static_cast<std::size_t>(choice.image)];
  const base::Result<machine::Kernel>& ready = kernel(choice.image);
  if (!ready.ok()) return refused(ready.error());
  name_operands(variant);
  const base::Result<std::vector<machine::Argument>> arguments = machine::arguments_of(
      *request_.program, variant, image.signature, [&](int storage) { return storages_.allocation(storage).address; });
  if (!arguments.ok()) return refused(arguments.error());
  machine::LaunchOutcome done =
      ready.value().launch(variant.grid, arguments.value(), storages_.memory(), options_now());
  LaunchReport out;
  out.variant = choice.variant;
  out.completed = done.completed;
  out.findings = std::move(done.findings);
  out.counters = std::move(done.counters);
  out.printed = std::move(done.printed);
  out.covered = std::move(done.covered);
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

RunOutcome::Kind kind_of(const LaunchReport& report) {
  if (report.findings.empty()) return RunOutcome::Kind::kFault;
  switch (report.findings.back().kind) {
    case machine::Finding::Kind::kTimeout:
      return RunOutcome::Kind::kTimeout;
    case machine::Finding::Kind::kMemory:
      return RunOutcome::Kind::kOutOfMemory;
    case machine::Finding::Kind::kNotExecutable:
      return RunOutcome::Kind::kNotExecutable;
    default:
      return RunOutcome::Kind::kFault;
  }
}

}  // namespace tritonrl::runner
