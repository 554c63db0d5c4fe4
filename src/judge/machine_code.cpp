#include "judge/machine_code.h"

namespace tritonrl::judge {
namespace {

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
  out.descriptors = kernel.descriptors;
  out.num_warps = kernel.num_warps;
  out.num_ctas = kernel.num_ctas;
  out.shared_bytes = kernel.shared_bytes;
  out.scratch_bytes = kernel.scratch_bytes;
  out.scratch_align = kernel.scratch_align;
  out.cooperative = option(variant, "launch_cooperative_grid");
  return out;
}

}  // namespace tritonrl::judge
