#include "cli/machine.h"

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "cli/build_facts.h"
#include "cli/field_options.h"
#include "cli/interpreter_libraries.h"
#include "sandbox/probe.h"

namespace tritonrl::cli {

namespace fs = std::filesystem;

void declare(CLI::App& command, MachineOptions& options) {
  declare_fields(command, options);
}

namespace {

// An empty one is as good as none.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_chosen(const MachineOptions& options) {
  return !options.python.empty() || !environment("TRITONRL_PYTHON").empty();
}

std::string find_python(const MachineOptions& options) {
  std::error_code unreachable;  // another user's interpreter is as good as none
  if (!options.python.empty()) return options.python;
  if (is_chosen(options)) return environment("TRITONRL_PYTHON");
  for (const char* active : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const fs::path python = fs::path(environment(active)) / "bin" / "python3";
    if (python.is_absolute() && fs::exists(python, unreachable)) return python.string();
  }
  const std::string built_with = kBuildFacts.python;
  return !built_with.empty() && fs::exists(built_with, unreachable) ? built_with : "python3";
}

namespace {

std::string library_beside_us(const char* module, const char* name) {
  const fs::path library = fs::read_symlink("/proc/self/exe").parent_path() / name;
  if (!fs::exists(library))
    throw base::UserError(module, std::string(name) + " is not beside the program; build it or copy it there");
  return library.string();
}

}  // namespace

std::string sandbox_library() {
  return library_beside_us("sandbox", "libtritonrl_sandbox_enter.so");
}

std::string check_library() {
  return library_beside_us("check", "libtritonrl_check_machine.so");
}

sandbox::Level choose_level(const MachineOptions& options) {
  if (options.sandbox == "none") return sandbox::Level::kNone;
  const sandbox::Level best = sandbox::best_level(sandbox::probe());
  const sandbox::Level wanted = options.sandbox == "full"       ? sandbox::Level::kFull
                                : options.sandbox == "landlock" ? sandbox::Level::kLandlock
                                                                : best;
  const bool offered = best == sandbox::Level::kFull || (best == sandbox::Level::kLandlock && wanted == best);
  if (!offered) {
    throw base::UserError("sandbox",
                          "this machine offers no sandbox of level " +
                              (options.sandbox == "auto" ? std::string("landlock or better") : options.sandbox) +
                              "; `tritonrl doctor` explains, and --sandbox none runs candidates unconfined");
  }
  return wanted;
}

namespace {

sandbox::Policy policy_of(const MachineOptions& options) {
  sandbox::Policy policy;
  policy.level = choose_level(options);
  policy.wall_ms = static_cast<std::int64_t>(options.timeout_s * 1000);
  policy.cpu_seconds = static_cast<std::int64_t>(options.timeout_s) + 1;
  policy.memory_bytes = static_cast<std::int64_t>(options.memory_gib * (1 << 30));
  return policy;
}

}  // namespace

fs::path cache_folder() {
  if (const std::string chosen = environment("TRITONRL_CACHE"); !chosen.empty()) return chosen;
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "tritonrl";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "tritonrl";
  return {};
}

python::RecorderOptions recorder_options(const MachineOptions& options) {
  python::RecorderOptions out;
  out.interpreter = python::probe_interpreter(find_python(options));
  out.library = sandbox_library();
  out.policy = policy_of(options);
  return out;
}

judge::ReplayerOptions replayer_options(const MachineOptions& options) {
  judge::ReplayerOptions out;
  out.recorder = recorder_options(options);
  out.compiler.interpreter = out.recorder.interpreter;
  out.compiler.library = out.recorder.library;
  out.compiler.policy = out.recorder.policy;
  const fs::path cache = cache_folder();
  if (!cache.empty()) out.compiler.cache = cache / "compiled";
  const fs::path executable = fs::read_symlink("/proc/self/exe").parent_path() / "tritonrl-runner";
  if (!fs::exists(executable)) {
    throw base::UserError("runner",
                          "tritonrl-runner is not beside the program; build it with a Python that has torch "
                          "(cmake -DTRITONRL_PYTHON=...) or copy it there");
  }
  out.runner.executable = executable.string();
  out.runner.libraries = out.device.libraries = library_folders(options, out.recorder.interpreter);
  out.runner.policy = out.recorder.policy;
  out.device.executable = (executable.parent_path() / "tritonrl-device").string();
  out.device.policy = out.recorder.policy;
  out.device.run_ms = std::min(out.device.run_ms, out.recorder.policy.wall_ms);
  return out;
}

}  // namespace tritonrl::cli
