#include "sandbox/probe.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "base/unique_fd.h"
#include "sandbox/landlock.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/privileges.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {
namespace {

// Runs `attempt` in a forked process; what it throws, or an empty string.
std::string try_forked(const std::function<void()>& attempt) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return base::system_message("pipe");
  const base::UniqueFd read_end(ends[0]);
  base::UniqueFd write_end(ends[1]);
  const pid_t child = fork();
  if (child < 0) return base::system_message("fork");
  if (child == 0) {
    std::string said = "+";
    try {
      attempt();
    } catch (const std::exception& error) {
      said = error.what();
    }
    _exit(write(write_end.get(), said.data(), said.size()) > 0 ? 0 : 1);
  }
  write_end.reset();
  std::array<char, 1024> bytes{};
  ssize_t count = 0;
  while ((count = read(read_end.get(), bytes.data(), bytes.size())) < 0 && errno == EINTR) {
  }
  waitpid(child, nullptr, 0);
  if (count <= 0) return "the process that tried was killed";
  const std::string said(bytes.data(), static_cast<std::size_t>(count));
  return said == "+" ? "" : said;
}

void try_namespaces(const Policy& policy) {
  enter_namespaces();
  const std::string error = try_forked([&] { arrange_mounts(policy); });
  if (!error.empty()) throw std::runtime_error(error);
}

void try_seccomp() {
  forbid_new_privileges();
  restrict_by_seccomp({}, {.self = getpid()});
}

// Settings of distributions that forbid user namespaces to ordinary users.
std::string likely_setting() {
  struct Setting {
    const char *file, *forbidding, *fix;
  };
  for (const auto& [file, forbidding, fix] :
       {Setting{"/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"},
        Setting{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
                "kernel.apparmor_restrict_unprivileged_userns=0"},
        Setting{"/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=1024"}}) {
    std::string value;
    std::ifstream(file) >> value;
    if (value == forbidding) return std::string(" (sysctl ") + fix + " would allow it)";
  }
  return "";
}

}  // namespace

Capabilities probe() {
  Capabilities out;
  out.why_no_namespaces = try_forked([] { try_namespaces({}); });
  out.user_namespaces = out.why_no_namespaces.empty();
  Policy with_devices;
  with_devices.devices = {"/dev/null"};
  out.own_proc = out.user_namespaces && try_forked([&] { try_namespaces(with_devices); }).empty();
  if (!out.user_namespaces) out.why_no_namespaces += likely_setting();
  out.why_no_seccomp = try_forked(try_seccomp);
  out.seccomp = out.why_no_seccomp.empty();
  out.landlock_abi = landlock_abi();
  return out;
}

Level best_level(const Capabilities& capabilities, bool devices) {
  if (!capabilities.seccomp || capabilities.landlock_abi < 1) return Level::kNone;
  return capabilities.user_namespaces && (capabilities.own_proc || !devices) ? Level::kFull : Level::kLandlock;
}

}  // namespace tritonrl::sandbox
