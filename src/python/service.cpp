#include "python/service.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <mutex>

#include "base/budget.h"
#include "base/error.h"
#include "base/json.h"
#include "base/loader_path.h"
#include "python/embedded_modules.h"
#include "sandbox/zygote.h"

namespace tritonrl::python {
namespace {

// What any program needs: the loader, system libraries, time zones, the list of CPUs.
constexpr const char* kSystemPaths[] = {
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo", "/sys/devices/system/cpu"};

sandbox::ZygoteOptions zygote_options(const ServiceOptions& options) {
  sandbox::ZygoteOptions out;
  out.command = {options.interpreter.executable, "-B", "-s", "-c", std::string(boot_module())};
  // One thread: a zygote that started another could not be forked safely.
  out.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8",         "HOME=/nonexistent",
                     "USER=nobody",  // else getpass asks a password file that the sandbox does not show
                     "PYTHONNOUSERSITE=1", "OMP_NUM_THREADS=1",    "OPENBLAS_NUM_THREADS=1",
                     "MKL_NUM_THREADS=1",  "CUDA_VISIBLE_DEVICES="};
  for (std::string& one : base::loader_environment()) out.environment.push_back(std::move(one));
  for (const std::string& one : options.environment) {
    const std::string name = one.substr(0, one.find('=') + 1);
    std::erase_if(out.environment, [&](const std::string& usual) { return usual.starts_with(name); });
    out.environment.push_back(one);
  }
  out.boot = boot_text(options.module, options.options, options.library);
  out.max_message_bytes = options.max_message_bytes;
  out.background = options.background;
  if (options.copied) {
    out.made_of = options.interpreter.paths;
    out.made_of.insert(out.made_of.end(), {options.interpreter.executable, options.library});
  }
  return out;
}

// In kFull the scratch is mounted over a folder, which must not hide what the process has to read.
std::string scratch_for(const ServiceOptions& options) {
  namespace fs = std::filesystem;
  const sandbox::Policy& policy = options.policy;
  if (policy.level != sandbox::Level::kFull) return policy.scratch;
  for (const std::string& folder : {policy.scratch, std::string("/mnt"), std::string("/media"), std::string("/srv")}) {
    const bool hides = std::any_of(policy.readable.begin(), policy.readable.end(), [&](const std::string& path) {
      return path == folder || path.starts_with(folder + "/");
    });
    if (!hides && fs::is_directory(folder)) return folder;
  }
  throw base::UserError(options.name,
                        "no folder for the scratch: /tmp, /mnt, /media and /srv all hold parts of the interpreter");
}

}  // namespace

struct Service::Impl {
  explicit Impl(ServiceOptions given) : options(std::move(given)) {
    for (const std::string& path : options.interpreter.paths) options.policy.readable.push_back(path);
    for (const char* path : kSystemPaths) {
      if (std::filesystem::exists(path)) options.policy.readable.emplace_back(path);
    }
    options.policy.scratch = scratch_for(options);
    zygote = std::make_unique<sandbox::Zygote>(zygote_options(options));
  }

  ServiceOptions options;
  std::mutex mutex;
  std::unique_ptr<sandbox::Zygote> zygote;
};

Service::Service(ServiceOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Service::~Service() = default;

const sandbox::Policy& Service::policy() const {
  return impl_->options.policy;
}

pid_t Service::pid() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->zygote ? impl_->zygote->pid() : 0;
}

sandbox::Job Service::start(const sandbox::Policy& policy) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  for (int attempt = 0;; ++attempt) {
    if (!impl_->zygote) impl_->zygote = std::make_unique<sandbox::Zygote>(zygote_options(impl_->options));
    try {
      return impl_->zygote->start(policy);
    } catch (const base::InfrastructureError&) {  // it died: replaced once
      impl_->zygote.reset();
      if (attempt == 1) throw;
    }
  }
}

SilentEnd no_answer_within(std::int64_t milliseconds) {
  return {SilentEnd::Kind::kTimeout, base::no_answer_within(milliseconds)};
}

SilentEnd silent_end(const std::string& service, const sandbox::Policy& policy, const sandbox::Job& job,
                     const sandbox::Exit& exit) {
  using Kind = sandbox::Exit::Kind;
  if (exit.kind == Kind::kInfrastructure) throw base::InfrastructureError(service, exit.message);
  if (exit.kind == Kind::kTimedOut) {
    const bool by_cpu = exit.message.find("CPU") != std::string::npos;
    return {SilentEnd::Kind::kTimeout, by_cpu ? "stopped: " + exit.message : base::no_answer_within(policy.wall_ms)};
  }
  // the kernel kills at the limit what did not end at the warning before it
  if (exit.kind == Kind::kSignaled && exit.code == SIGKILL && exit.message.empty() &&
      exit.cpu_ms >= 900 * policy.cpu_seconds) {
    return {SilentEnd::Kind::kTimeout, "stopped: past its CPU limit of " + std::to_string(policy.cpu_seconds) + " s"};
  }
  if (job.malformed()) return {SilentEnd::Kind::kMalformed, "what it sent is no message"};
  std::string message = exit.kind == Kind::kSignaled
                            ? "ended by signal " + std::to_string(exit.code)
                            : "exited with code " + std::to_string(exit.code) + " without an answer";
  if (!exit.message.empty()) message += ": " + exit.message;
  return {SilentEnd::Kind::kCrashed, std::move(message)};
}

}  // namespace tritonrl::python
