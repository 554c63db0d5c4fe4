#include "judge/machine_code.h"

#include "python/kernel_arguments.h"

namespace tritonrl::judge {
namespace {

// The type of a parameter, found in nested tuples; empty where it is no plain value.
std::string type_of(const python::KernelParameter& parameter, const program::LaunchVariant& variant) {
  if (parameter.part != python::KernelParameter::Part::kValue) return "";
  const auto read = python::read_argument_type(variant.arguments[static_cast<std::size_t>(parameter.argument)].type);
  if (!read.ok()) return "";
  const python::ArgumentType* type = &read.value();
  for (const int item : parameter.path) {
    if (!type->tuple || static_cast<std::size_t>(item) >= type->items.size()) return "";
    type = &type->items[static_cast<std::size_t>(item)];
  }
  return type->text;
}

bool option(const program::LaunchVariant& variant, std::string_view name) {
  for (const auto& [key, value] : variant.options) {
    const auto* flag = value.get_if<bool>();
    if (key == name && flag != nullptr) return *flag;
  }
  return false;
}

}  // namespace

runner::MachineCode machine_code_of(const python::CompiledKernel& kernel, const program::LaunchVariant& variant) {
  runner::MachineCode out;
  out.cubin = kernel.cubin;
  out.entry = kernel.entry;
  for (const python::KernelParameter& parameter : kernel.signature) out.types.push_back(type_of(parameter, variant));
  out.num_warps = kernel.num_warps;
  out.num_ctas = kernel.num_ctas;
  out.shared_bytes = kernel.shared_bytes;
  out.scratch_bytes = kernel.scratch_bytes;
  out.scratch_align = kernel.scratch_align;
  out.cooperative = option(variant, "launch_cooperative_grid");
  return out;
}

}  // namespace tritonrl::judge
