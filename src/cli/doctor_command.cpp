#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "program/target.h"
#include "python/recorder.h"
#include "runner/device.h"
#include "sandbox/gpu_access.h"
#include "sandbox/probe.h"

namespace tritonrl::cli {
namespace {

void say(const char* mark, const std::string& subject, const std::string& finding) {
  std::cout << "  " << mark << "  " << subject << std::string(subject.size() < 18 ? 18 - subject.size() : 1, ' ')
            << finding << "\n";
}

// A trivial module, recorded for real: the one check that joins all the others.
std::string try_recording(const MachineOptions& options) {
  python::Recorder recorder(recorder_options(options));
  python::RecordRequest request;
  request.task = {
      .id = "doctor.py",
      .source =
          "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
          "def get_inputs():\n    return [torch.rand(4)]\n",
      .entry_point = {}};
  request.target = &program::find_target("h200");
  recorder.record(request);  // the first one finds cold pages
  const python::RecordOutcome outcome = recorder.record(request);
  if (outcome.kind != python::RecordOutcome::Kind::kRecorded) {
    throw base::InfrastructureError("recorder", to_string(outcome.kind) + ": " + outcome.message);
  }
  return "works, " + std::to_string(static_cast<int>(outcome.milliseconds + 0.5)) + " ms, sandbox " +
         to_string(outcome.level);
}

std::string disk_space() {
  std::error_code error;
  const auto space = std::filesystem::space(".", error);
  return error ? "unknown" : std::to_string(space.available >> 30) + " GiB free here";
}

int run_doctor(const MachineOptions& options) {
  bool healthy = true;
  const auto check = [&](const std::string& subject, const std::function<std::string()>& find) {
    try {
      say("ok", subject, find());
    } catch (const std::exception& error) {
      healthy = false;
      say("--", subject, error.what());
    }
  };

  utsname kernel{};
  ::uname(&kernel);
  const sandbox::Capabilities found = sandbox::probe();
  std::cout << "machine\n";
  say("ok", "kernel", std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine);
  say("ok", "disk", disk_space());
  if (sandbox::gpu_devices().empty()) {
    say("ok", "GPU", "none (the judge needs none)");
  } else {
    check("GPU", [&] {
      const runner::Device device(replayer_options(options).device);
      return std::string("works inside the sandbox: verify --device cuda");
    });
  }
  std::cout << "sandbox (as " << (::geteuid() == 0 ? "root" : "an ordinary user") << ")\n";
  say(found.user_namespaces ? "ok" : "--", "namespaces", found.user_namespaces ? "available" : found.why_no_namespaces);
  say(found.landlock_abi > 0 ? "ok" : "--", "Landlock",
      found.landlock_abi > 0 ? "ABI " + std::to_string(found.landlock_abi)
                             : "missing: needs Linux 5.13 with Landlock among its LSMs");
  say(found.seccomp ? "ok" : "--", "seccomp", found.seccomp ? "available" : found.why_no_seccomp);
  check("level", [&] { return to_string(choose_level(options)); });
  std::cout << "python\n";
  check("interpreter", [&] {
    const python::Interpreter python = python::probe_interpreter(find_python(options));
    return python.executable + " " + python.version + ", torch " + python.torch_version + ", triton " +
           python.triton_version;
  });
  check("recorder", [&] { return try_recording(options); });
  std::cout << (healthy ? "all is well\n" : "some things are missing: the lines marked -- say what\n");
  return healthy ? kDone : kUserMustFix;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MachineOptions>();
  CLI::App* command = app.add_subcommand("doctor", "What this machine can do, and what to install");
  declare(*command, *options);
  command->callback([options, &exit_code] { exit_code = run_doctor(*options); });
}

}  // namespace tritonrl::cli
