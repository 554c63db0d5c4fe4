#include "tests/python/test_compiler.h"

#include <cstdlib>
#include <sstream>

#include "sandbox/probe.h"
#include "tests/paths.h"

namespace tritonrl::python {

KernelCompilerOptions test_compiler_options() {
  KernelCompilerOptions options;
  options.interpreter = probe_interpreter(test_python());
  options.library = build_path("libtritonrl_sandbox_enter.so");
  options.policy.level = sandbox::best_level(sandbox::probe());
  return options;
}

KernelCompiler& test_compiler() {
  static KernelCompiler compiler(test_compiler_options());
  return compiler;
}

CompileRequest TestKernel::request(const char* target, bool machine_code) const {
  return {
      .kernel = &kernel, .variant = &variant, .target = &program::find_target(target), .machine_code = machine_code};
}

TestKernel make_kernel(const std::string& source, std::vector<TestArgument> arguments) {
  TestKernel out;
  std::istringstream lines(source);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    if (line.starts_with("def ")) {
      const std::string name = line.substr(4, line.find('(') - 4);
      out.kernel.functions.push_back({.name = name, .source = {}, .at = {.file = 0, .line = number}});
    }
    if (!out.kernel.functions.empty()) out.kernel.functions.back().source += line + "\n";
  }
  if (!out.kernel.functions.empty()) out.kernel.name = out.kernel.functions.front().name;
  out.kernel.imports = {{"tl", "triton.language"}};
  for (TestArgument& argument : arguments) {
    const bool aligned = argument.type.starts_with("*");
    out.variant.arguments.push_back({.name = std::move(argument.name),
                                     .type = std::move(argument.type),
                                     .value = std::move(argument.value),
                                     .aligned = aligned});
  }
  out.variant.options = {{"num_ctas", integer(1)}, {"num_stages", integer(3)}, {"num_warps", integer(4)}};
  return out;
}

program::Value integer(std::int64_t value) {
  return {.data = value};
}

program::Value symbol(const std::string& name) {
  return {.data = program::Symbol{name}};
}

}  // namespace tritonrl::python
