#include "tests/machine/run_kernel_case.h"

#include <chrono>

#include "machine/ir/reader.h"
#include "machine/launch_arguments.h"
#include "program/target.h"
#include "python/kernel_text.h"

namespace tritonrl::machine {
namespace {

const program::Launch& launch_at(const KernelCase& kernel_case, std::size_t i) {
  return std::get<program::Launch>(kernel_case.program.forwards.at(0).steps.at(i));
}

}  // namespace

std::vector<python::CompileOutcome> compile_launches(const KernelCase& kernel_case, python::KernelCompiler& compiler,
                                                     bool machine_code) {
  std::vector<python::CompileOutcome> out;
  for (std::size_t i = 0; i < kernel_case.program.forwards.at(0).steps.size(); ++i) {
    const program::Launch& launch = launch_at(kernel_case, i);
    out.push_back(compiler.compile({.kernel = &kernel_case.program.kernels.at(static_cast<std::size_t>(launch.kernel)),
                                    .variant = &launch.variants.at(0),
                                    .target = &program::find_target(kernel_case.program.target),
                                    .machine_code = machine_code}));
  }
  return out;
}

CaseRun run_launches(const KernelCase& kernel_case, const std::vector<python::CompileOutcome>& compiled,
                     CaseMemory& memory, const MachineOptions& options) {
  CaseRun out;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    if (compiled[i].kind != python::CompileOutcome::Kind::kCompiled) {
      out.fault = "not compiled: " + compiled[i].message;
      return out;
    }
    base::Result<Module> module = read_ir(compiled[i].kernel.ir);
    if (!module.ok()) {
      out.fault = "IR not read: " + module.error();
      return out;
    }
    base::Result<Kernel> kernel = Kernel::make(std::move(module).value(), python::kSourceFile);
    if (!kernel.ok()) {
      out.fault = "not lowered: " + kernel.error();
      return out;
    }
    const program::LaunchVariant& variant = launch_at(kernel_case, i).variants.at(0);
    const base::Result<std::vector<Argument>> arguments =
        arguments_of(kernel_case.program, variant, compiled[i].kernel.signature,
                     [&](int storage) { return memory.address(storage); });
    if (!arguments.ok()) {
      out.fault = "arguments: " + arguments.error();
      return out;
    }
    const auto began = std::chrono::steady_clock::now();
    out.launches.push_back(kernel.value().launch(variant.grid, arguments.value(), memory.memory(), options));
    out.milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    if (!out.launches.back().completed) return out;
  }
  return out;
}

}  // namespace tritonrl::machine
