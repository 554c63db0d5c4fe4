#include "sandbox/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>

#include "sandbox/descriptors.h"
#include "sandbox/fail.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/privileges.h"
#include "sandbox/scratch.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {
namespace {

constexpr int kStatus = 4;

void arrange_descriptors(const Policy& policy, Enclosure& enclosure, int channel, int log) {
  const base::UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) fail("open /dev/null");
  const std::array sources{null.get(), log, log, channel, enclosure.status_write.get()};
  if (!place_descriptors(sources, 0, policy.protections.descriptors)) fail("descriptors");
  if (policy.protections.descriptors) {
    enclosure.proc.release();
    enclosure.status_read.release();
  }
  enclosure.status_write.release();
  enclosure.status_write.reset(kStatus);
  fcntl(kStatus, F_SETFD, FD_CLOEXEC);
}

// Nothing of the process may outlive its keeper, and nobody looks into it. Without namespaces it stays dumpable: the
// keeper must see which files it holds.
void bind_to_keeper(const Policy& policy) {
  if (namespaced(policy) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("PR_SET_DUMPABLE");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) fail("PR_SET_PDEATHSIG");
}

}  // namespace

Enclosure isolate(const Policy& policy) {
  Enclosure out;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  out.status_read.reset(ends[0]);
  out.status_write.reset(ends[1]);
  out.proc.reset(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.proc) fail("open /proc");
  if (policy.protections.group && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) fail("PR_SET_CHILD_SUBREAPER");
  if (namespaced(policy)) enter_namespaces();
  out.remove_scratch = !namespaced(policy);
  out.scratch = namespaced(policy) ? policy.scratch : make_scratch(policy.scratch);
  return out;
}

void confine(const Policy& policy, Enclosure& enclosure, int channel, int log) {
  const bool guarded = policy.level != Level::kNone;
  if (setsid() < 0) fail("setsid");
  volunteer_for_oom();
  const std::int64_t mapped = mapped_bytes();  // before /proc may become an empty folder
  if (namespaced(policy)) arrange_mounts(policy);
  if (chdir(enclosure.scratch.c_str()) != 0) fail("chdir " + enclosure.scratch);
  arrange_descriptors(policy, enclosure, channel, log);
  if (policy.protections.limits) set_limits(policy, mapped);
  forbid_new_privileges();
  const int abi = guarded && policy.protections.landlock ? landlock_abi() : 0;
  if (guarded && policy.protections.landlock) restrict_by_landlock(policy, enclosure.scratch, abi);
  drop_capabilities();
  bind_to_keeper(policy);
  if (guarded && policy.protections.seccomp) {
    restrict_by_seccomp(policy, {.self = getpid(),
                                 .signals_bounded = namespaced(policy) || abi >= 6,
                                 .files_bounded = namespaced(policy),
                                 .tasks_bounded = namespaced(policy)});
  }
  if (write(kStatus, "ok", 2) != 2) fail("report to the keeper");
  enclosure.status_write.reset();
}

}  // namespace tritonrl::sandbox
