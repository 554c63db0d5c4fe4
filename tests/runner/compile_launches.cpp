#include "tests/runner/compile_launches.h"

#include <algorithm>
#include <map>

#include "program/program_json.h"
#include "tests/paths.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::runner {
namespace {

// What an image depends on.
std::string key_of(const program::Launch& launch, const program::LaunchVariant& variant) {
  std::string key = std::to_string(launch.kernel);
  for (const program::LaunchArgument& argument : variant.arguments) {
    key += "|" + argument.name + ":" + argument.type + (argument.aligned ? "!" : "");
    if (argument.type == "constexpr" || argument.type.starts_with("tensordesc") || argument.value.is_none() ||
        argument.value.get_if<program::Value::List>() != nullptr) {
      key += "=" + program::to_json(argument.value);
    }
    if (const auto* one = argument.value.get_if<std::int64_t>(); one != nullptr && *one == 1) key += "=1";
  }
  for (const auto& [name, value] : variant.options) key += "|" + name + "=" + program::to_json(value);
  return key;
}

class Compilation {
 public:
  Compilation(RunRequest& request, int variant) : request_(request), program_(*request.program), variant_(variant) {}

  std::optional<std::string> run() {
    section(program_.initialise, Section::kInitialise, 0);
    for (std::size_t i = 0; i < program_.forwards.size(); ++i) {
      section(program_.forwards[i].make_inputs, Section::kInputs, static_cast<int>(i));
      section(program_.forwards[i].steps, Section::kForward, static_cast<int>(i));
    }
    return fault_;
  }

 private:
  void section(const std::vector<program::Step>& steps, Section section, int forward) {
    for (std::size_t i = 0; i < steps.size() && !fault_; ++i) {
      const auto* launch = std::get_if<program::Launch>(&steps[i]);
      if (launch != nullptr) add(*launch, {section, forward, static_cast<int>(i)});
    }
  }

  void add(const program::Launch& launch, const StepPlace& at) {
    const int chosen = std::min(variant_, static_cast<int>(launch.variants.size()) - 1);
    const program::LaunchVariant& variant = launch.variants[static_cast<std::size_t>(chosen)];
    const auto [found, fresh] = images_.try_emplace(key_of(launch, variant), static_cast<int>(request_.images.size()));
    if (fresh) {
      const program::Kernel& kernel = program_.kernels[static_cast<std::size_t>(launch.kernel)];
      const python::CompileOutcome outcome = test_compiler().compile({.kernel = &kernel,
                                                                      .variant = &variant,
                                                                      .target = &program::find_target(program_.target),
                                                                      .machine_code = false});
      if (outcome.kind != python::CompileOutcome::Kind::kCompiled) {
        fault_ = kernel.name + ": " + python::to_string(outcome.kind) + ": " + outcome.message;
        return;
      }
      request_.images.push_back({.ir = outcome.kernel.ir,
                                 .signature = outcome.kernel.signature,
                                 .source_file = std::string(python::kSourceFile)});
    }
    request_.launches.push_back({.at = at, .variant = chosen, .image = found->second});
  }

  RunRequest& request_;
  const program::Program& program_;
  const int variant_;
  std::map<std::string, int> images_;
  std::optional<std::string> fault_;
};

}  // namespace

python::KernelCompiler& test_compiler() {
  static python::KernelCompiler compiler([] {
    const python::RecorderOptions recorder = python::test_recorder_options();
    python::KernelCompilerOptions options;
    options.interpreter = recorder.interpreter;
    options.policy = recorder.policy;
    options.library = recorder.library;
    options.cache = build_path("tests/compilations");  // the judge's tests have the same kernels
    return options;
  }());
  return compiler;
}

std::optional<std::string> compile_launches(RunRequest& request, int variant) {
  return Compilation(request, variant).run();
}

}  // namespace tritonrl::runner
