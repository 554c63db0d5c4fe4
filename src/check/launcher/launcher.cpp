#include "check/launcher/launcher.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/fields.h"
#include "machine/ir/reader.h"

namespace tritonrl::check {
namespace {

using base::Json;

machine::Argument argument_of(const Json& json) {
  if (!json.is_object()) return json.get<std::int64_t>();
  if (const Json* real = json.find("float")) return std::strtod(real->text().c_str(), nullptr);  // also inf, nan, 0x1p3
  if (const Json* pointer = json.find("pointer")) return machine::PointerArgument{pointer->get<std::uint64_t>()};
  const Json& descriptor = json.at("descriptor");
  return machine::DescriptorArgument{
      descriptor.at("base").get<std::uint64_t>(), descriptor.at("shape").get<std::vector<std::int64_t>>(),
      descriptor.at("strides").get<std::vector<std::int64_t>>(), descriptor.at("nan_outside").get<bool>(),
      descriptor.at("rounds_to_tf32").get<bool>()};
}

}  // namespace

void LauncherOptions::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, target, machine);
}

Launcher::Launcher(LauncherOptions options)
    : options_(std::move(options)), target_(&program::find_target(options_.target)) {
  options_.machine.target = target_;
}

void Launcher::remove(int number) {
  memory_.remove(number);
  undefined_.erase(number);
}

void Launcher::set_undefined(int number, std::uint8_t* bytes) {
  if (bytes != nullptr) {
    undefined_[number] = bytes;
  } else {
    undefined_.erase(number);
  }
}

base::Result<int> Launcher::make(std::string_view ir, std::string file) {
  base::Result<machine::Module> module = machine::read_ir(ir);
  if (!module.ok()) return base::Failure{module.error()};
  base::Result<machine::Kernel> kernel = machine::Kernel::make(std::move(module).value(), std::move(file));
  if (!kernel.ok()) return base::Failure{kernel.error()};
  kernels_.push_back(std::move(kernel).value());
  return static_cast<int>(kernels_.size()) - 1;
}

LaunchResult Launcher::launch(const Json& request) {
  const auto begin = std::chrono::steady_clock::now();
  const machine::Kernel& kernel = kernels_.at(request.at("kernel").get<std::size_t>());
  std::vector<machine::Argument> arguments;
  for (const Json& one : request.at("arguments").elements()) arguments.push_back(argument_of(one));
  for (const auto& [number, bytes] : undefined_) {
    machine::Allocation& tensor = memory_.at(number);
    tensor.undefined.assign(bytes, bytes + tensor.bytes);
  }
  machine::MachineOptions options = options_.machine;
  options.warps = request.at("num_warps").get<int>();
  machine::LaunchOutcome done =
      kernel.launch(request.at("grid").get<std::array<std::int64_t, 3>>(), arguments, memory_, options);
  for (const auto& [number, bytes] : undefined_) {
    machine::Allocation& tensor = memory_.at(number);
    std::copy(tensor.undefined.begin(), tensor.undefined.end(), bytes);
    memory_.define(number);
  }
  LaunchResult out;
  out.completed = done.completed;
  out.findings = std::move(done.findings);
  machine::KernelResources resources;
  resources.num_warps = request.at("num_warps").get<int>();
  resources.num_stages = request.at("num_stages").get<int>();
  out.time = machine::modelled_time(done.counters, resources, *target_);
  out.counters = std::move(done.counters);
  out.printed = std::move(done.printed);
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace tritonrl::check
