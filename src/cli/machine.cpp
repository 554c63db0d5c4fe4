#include "cli/machine.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "sandbox/probe.h"

namespace tritonrl::cli {

namespace fs = std::filesystem;

void declare(CLI::App& command, MachineOptions& options) {
  command.add_option("--python", options.python,
                     "Python with torch >= 2.11 and triton >= 3.6 (default: the active one)");
  command
      .add_option("--sandbox", options.sandbox,
                  "what confines candidate code: full, landlock, none, or the best there is")
      ->check(CLI::IsMember({"auto", "full", "landlock", "none"}))
      ->capture_default_str();
  command.add_option("--timeout", options.timeout_s, "seconds for one recording")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
  command.add_option("--memory", options.memory_gib, "GiB for one recording, beyond what an idle Python maps")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
}

std::string find_python(const MachineOptions& options) {
  std::error_code unreachable;  // another user's interpreter is as good as none
  if (!options.python.empty()) return options.python;
  if (const char* chosen = std::getenv("TRITONRL_PYTHON"); chosen != nullptr && *chosen != '\0') return chosen;
  if (const char* active = std::getenv("VIRTUAL_ENV"); active != nullptr && *active != '\0') {
    const fs::path python = fs::path(active) / "bin" / "python3";
    if (fs::exists(python, unreachable)) return python.string();
  }
  const std::string built_with = TRITONRL_DEFAULT_PYTHON;
  return !built_with.empty() && fs::exists(built_with, unreachable) ? built_with : "python3";
}

std::string sandbox_library() {
  const fs::path library = fs::read_symlink("/proc/self/exe").parent_path() / "libtritonrl_sandbox_enter.so";
  if (!fs::exists(library)) {
    throw base::UserError("sandbox",
                          library.filename().string() + " is not beside the program; build it or copy it there");
  }
  return library.string();
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

python::RecorderOptions recorder_options(const MachineOptions& options) {
  python::RecorderOptions out;
  out.interpreter = python::probe_interpreter(find_python(options));
  out.library = sandbox_library();
  out.policy.level = choose_level(options);
  out.policy.wall_ms = static_cast<std::int64_t>(options.timeout_s * 1000);
  out.policy.cpu_seconds = static_cast<std::int64_t>(options.timeout_s) + 1;
  out.policy.memory_bytes = static_cast<std::int64_t>(options.memory_gib * (1 << 30));
  return out;
}

}  // namespace tritonrl::cli
