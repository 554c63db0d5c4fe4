#pragma once

#include <filesystem>
#include <string>

#include "base/fields.h"
#include "judge/replay.h"
#include "python/interpreter.h"
#include "python/recorder.h"
#include "sandbox/policy.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

inline constexpr const char* kSandboxes[] = {"auto", "full", "landlock", "none"};

// What a command that runs Python needs to know about this machine. Only here are the environment and our own place
// read.
struct MachineOptions {
  std::string
      python;  // interpreter; empty: TRITONRL_PYTHON, the active environment, the one found by the build, python3
  std::string sandbox = "auto";  // "full", "landlock", "none" or "auto": the best that is not "none"
  double timeout_s = 30;         // wall time of one recording
  double memory_gib = 4;         // of one recording
  void fields(base::FieldVisitor& field) {
    field("python", python, {.help = "Python with torch >= 2.11 and triton >= 3.6 (default: the active one)"});
    field("sandbox", sandbox,
          {.help = "what confines candidate code: full, landlock, none, or the best there is", .choices = kSandboxes});
    field("timeout", timeout_s, {.help = "seconds for one recording", .least = 0.001, .most = 1e6});
    field("memory", memory_gib,
          {.help = "GiB for one recording, beyond what an idle Python maps", .least = 0.001, .most = 1e6});
  }
};

void declare(CLI::App& command, MachineOptions& options);

std::string find_python(const MachineOptions& options);
// By --python or TRITONRL_PYTHON: then no other is taken.
bool is_chosen(const MachineOptions& options);
// The library that a zygote loads; it lies beside the program. UserError if it does not.
std::string sandbox_library();
// The kernel machine for a script's process; it lies there as well.
std::string check_library();
// UserError if the machine offers less than Landlock and the user did not ask for "none".
sandbox::Level choose_level(const MachineOptions& options);

// TRITONRL_CACHE, else XDG_CACHE_HOME or ~/.cache; empty if there is none.
std::filesystem::path cache_folder();

python::RecorderOptions recorder_options(const MachineOptions& options);
// Recorder, compiler and runner, the same limits for each. Compilations are kept in the user's cache_folder().
judge::ReplayerOptions replayer_options(const MachineOptions& options);

}  // namespace tritonrl::cli
