#include "sandbox/seccomp_filter.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "sandbox/system_calls.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::uint64_t kNewTime = 0x80;  // CLONE_NEWTIME; only clone3 and unshare take it, but it costs nothing here
constexpr std::uint64_t kForeignClone = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                        CLONE_NEWPID | CLONE_NEWNET | CLONE_PARENT | CLONE_PTRACE | CLONE_UNTRACED;
constexpr int kSetVma = 0x53564d41;  // PR_SET_VMA: names of anonymous memory, used by allocators

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release) {
    if (!context_) throw base::InfrastructureError("sandbox", "seccomp: no memory for the filter");
    // Calls by another architecture's numbers (32-bit, x32) would slip past rules written for this one.
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    set(SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }

  void allow(const char* name, const std::vector<scmp_arg_cmp>& conditions = {}) {
    add(SCMP_ACT_ALLOW, name, conditions);
  }
  void missing(const char* name) { add(SCMP_ACT_ERRNO(ENOSYS), name, {}); }

  void load() {
    if (const int error = seccomp_load(context_.get())) fail("load", error);
  }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (const int error = seccomp_attr_set(context_.get(), attribute, value)) fail("attribute", error);
  }
  void add(std::uint32_t action, const char* name, const std::vector<scmp_arg_cmp>& conditions) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call < 0) return;
    const int error = seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(conditions.size()),
                                             conditions.data());
    if (error) fail(name, error);
  }
  [[noreturn]] static void fail(const std::string& what, int error) {
    errno = -error;
    throw base::InfrastructureError("sandbox", base::system_message("seccomp: " + what));
  }

  std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

scmp_arg_cmp equal(unsigned argument, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value, .datum_b = 0};
}

scmp_arg_cmp masked(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

// O_TRUNC without write access truncates behind the back of Landlock before version 3; an unnamed file (O_TMPFILE)
// is invisible to the keeper's count of the scratch.
void allow_open(Filter& filter, const char* name, unsigned argument) {
  constexpr std::uint64_t kUnnamed = O_TMPFILE & ~O_DIRECTORY;
  filter.allow(name, {masked(argument, O_TRUNC | kUnnamed, 0)});
  for (const std::uint64_t mode : {O_WRONLY, O_RDWR}) {
    filter.allow(name, {masked(argument, O_TRUNC | kUnnamed | O_ACCMODE, O_TRUNC | mode)});
  }
}

void allow_one_of(Filter& filter, const char* name, unsigned argument, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) filter.allow(name, {equal(argument, value)});
}

void allow_signals(Filter& filter, const Policy& policy, const FilterContext& context) {
  for (const char* name : {"kill", "tgkill"}) {
    if (policy.processes && context.signals_bounded) {
      filter.allow(name);
    } else {
      filter.allow(name, {equal(0, static_cast<std::uint64_t>(context.self))});
    }
  }
}

void allow_tasks(Filter& filter, const Policy& policy) {
  const std::uint64_t kind = policy.processes ? 0 : CLONE_THREAD;
  filter.allow("clone", {masked(0, kForeignClone | kNewTime | kind, kind)});
  filter.missing("clone3");  // its flags lie in memory, where a filter cannot look
  if (!policy.processes) return;
  for (const char* name : process_calls()) filter.allow(name);
}

// Numbers of ioctls: type 'F' for the GPUs and their control node, bare numbers for unified memory. All ioctls would be
// too many: some change files that are only open for reading, some let the kernel send signals.
void allow_driver_ioctls(Filter& filter) {
  constexpr std::uint64_t kType = 0xff00, kGpu = 'F' << 8;
  constexpr std::uint64_t kUnlessBare = 0xfffff000, kInitializeBare = 0x30000000;
  filter.allow("ioctl", {masked(1, kType, kGpu)});
  filter.allow("ioctl", {masked(1, kUnlessBare, 0)});
  filter.allow("ioctl", {masked(1, kUnlessBare, kInitializeBare)});
}

// CUDA offers its memory to other processes by an abstract socket and fails if it cannot. A path it cannot bind: that
// would make a file.
void allow_local_sockets(Filter& filter) {
  constexpr std::uint64_t kKind = 0xf;
  filter.allow("socket", {equal(0, AF_UNIX), masked(1, kKind, SOCK_SEQPACKET)});
  for (const std::uint64_t kind : {SOCK_STREAM, SOCK_SEQPACKET}) {
    filter.allow("socketpair", {equal(0, AF_UNIX), masked(1, kKind, kind)});
  }
  filter.allow("setsockopt", {equal(1, SOL_SOCKET), equal(2, SO_PASSCRED)});
}

void allow_devices(Filter& filter, const FilterContext& context) {
  for (const char* name : device_calls()) filter.allow(name);
  allow_driver_ioctls(filter);
  allow_local_sockets(filter);
  filter.allow("memfd_create", {masked(1, MFD_HUGETLB, 0)});  // nobody counts huge pages
  allow_one_of(filter, "fcntl", 1, {F_ADD_SEALS, F_GET_SEALS});
  allow_one_of(filter, "prctl", 0, {PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE});
  if (context.tasks_bounded) {
    filter.allow("sched_setaffinity");
  } else {
    allow_one_of(filter, "sched_setaffinity", 0, {0, static_cast<std::uint64_t>(context.self)});
  }
}

}  // namespace

void restrict_by_seccomp(const Policy& policy, const FilterContext& context) {
  Filter filter;
  for (const char* name : plain_calls()) filter.allow(name);
  allow_open(filter, "open", 1);
  allow_open(filter, "openat", 2);
  filter.missing("openat2");
  allow_tasks(filter, policy);
  allow_signals(filter, policy, context);
  if (!policy.devices.empty()) allow_devices(filter, context);
  if (policy.processes && context.files_bounded) {
    for (const char* name : metadata_calls()) filter.allow(name);
  }
  // Among those left out: F_SETOWN and F_SETSIG, which send any signal to anyone; locks and leases on others' files.
  allow_one_of(filter, "fcntl", 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL});
  allow_one_of(filter, "ioctl", 1, {FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ});
  allow_one_of(filter, "prctl", 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_CAPBSET_READ, kSetVma});
  for (const std::uint64_t self : {std::uint64_t{0}, static_cast<std::uint64_t>(context.self)}) {
    filter.allow("prlimit64", {equal(0, self), equal(2, 0)});
  }
  filter.load();
}

}  // namespace tritonrl::sandbox
