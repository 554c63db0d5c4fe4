#include "sandbox/limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::sandbox {
namespace {

void limit(int resource, const char* name, rlim_t soft, rlim_t hard) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  const rlimit wanted{.rlim_cur = std::min(soft, now.rlim_max), .rlim_max = std::min(hard, now.rlim_max)};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) != 0) {
    throw base::InfrastructureError("sandbox", base::system_message(std::string("setrlimit ") + name));
  }
}

void limit(int resource, const char* name, std::int64_t value) {
  limit(resource, name, static_cast<rlim_t>(value), static_cast<rlim_t>(value));
}

// Since 5.14 tasks are counted per user namespace; before, all of the user's processes count and any number is wrong.
bool tasks_are_counted_inside(const Policy& policy) {
  utsname system{};
  int major = 0, minor = 0;
  if (!namespaced(policy) || uname(&system) != 0) return false;
  if (std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 5 || (major == 5 && minor >= 14);
}

}  // namespace

std::int64_t mapped_bytes() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages > 0) return pages * sysconf(_SC_PAGESIZE);
  throw base::InfrastructureError("sandbox", "cannot read /proc/self/statm");
}

void set_limits(const Policy& policy, std::int64_t mapped) {
  if (policy.devices.empty()) limit(RLIMIT_AS, "AS", mapped + std::max(policy.memory_bytes, policy.address_bytes));
  limit(RLIMIT_CPU, "CPU", static_cast<rlim_t>(policy.cpu_seconds), static_cast<rlim_t>(policy.cpu_seconds) + 1);
  limit(RLIMIT_FSIZE, "FSIZE", policy.scratch_bytes);
  limit(RLIMIT_NOFILE, "NOFILE", policy.open_files);
  if (tasks_are_counted_inside(policy)) limit(RLIMIT_NPROC, "NPROC", policy.threads + /*the keeper*/ 1);
  // One byte, not none: with none the kernel still starts a core handler that is a program; with one it does not.
  limit(RLIMIT_CORE, "CORE", 1);
  limit(RLIMIT_STACK, "STACK", std::int64_t{8} << 20);
  limit(RLIMIT_MEMLOCK, "MEMLOCK", std::int64_t{64} << 10);
  limit(RLIMIT_MSGQUEUE, "MSGQUEUE", 0);
  limit(RLIMIT_RTPRIO, "RTPRIO", 0);
  limit(RLIMIT_NICE, "NICE", 0);
}

void volunteer_for_oom() {
  const base::UniqueFd file(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file) [[maybe_unused]]
    const ssize_t ignored = write(file.get(), "1000", 4);
}

}  // namespace tritonrl::sandbox
