#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::sandbox {
namespace {

// The kernel's interface in our words: the headers of the distributions we build on are older than the kernels we run
// on. The call numbers are the same on every architecture.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr int kPathBeneath = 1;

enum Access : std::uint64_t {
  kExecute = 1 << 0,
  kWriteFile = 1 << 1,
  kReadFile = 1 << 2,
  kReadDir = 1 << 3,
  kRemoveDir = 1 << 4,
  kRemoveFile = 1 << 5,
  kMakeDir = 1 << 7,
  kMakeRegular = 1 << 8,
  kMakeSymlink = 1 << 12,
  kRefer = 1 << 13,     // version 2
  kTruncate = 1 << 14,  // version 3
  kIoctlDev = 1 << 15,  // version 5
  kFilesV1 = (1 << 13) - 1,
};
constexpr std::uint64_t kOnFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;
constexpr std::uint64_t kBindAndConnectTcp = 0b11;          // version 4
constexpr std::uint64_t kAbstractSocketsAndSignals = 0b11;  // version 6
constexpr unsigned kLogNothing = 1;                         // version 7: a denied call writes no audit record

struct Ruleset {
  std::uint64_t files = 0, network = 0, scoped = 0;
};

struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};

[[noreturn]] void landlock_failed(const std::string& what) {
  throw base::InfrastructureError("sandbox", base::system_message("Landlock: " + what));
}

Ruleset everything(int abi) {
  Ruleset all{.files = kFilesV1};
  if (abi >= 2) all.files |= kRefer;
  if (abi >= 3) all.files |= kTruncate;
  if (abi >= 4) all.network = kBindAndConnectTcp;
  if (abi >= 5) all.files |= kIoctlDev;
  if (abi >= 6) all.scoped = kAbstractSocketsAndSignals;
  return all;
}

void allow(int ruleset, const Ruleset& all, const std::string& path, std::uint64_t access) {
  const base::UniqueFd parent(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!parent) {
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return;
    landlock_failed("open " + path);
  }
  struct stat about {};
  if (fstat(parent.get(), &about) != 0) landlock_failed("stat " + path);
  access &= all.files;
  if (!S_ISDIR(about.st_mode)) access &= kOnFiles;
  const PathBeneath rule{.allowed = access, .parent = parent.get()};
  if (syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) != 0) landlock_failed("rule for " + path);
}

// A rule for a file of another kind would make it writable.
void require_device(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || S_ISCHR(about.st_mode) || S_ISDIR(about.st_mode)) return;
  throw base::InfrastructureError("sandbox", path + " is neither a device nor a folder of devices");
}

// CUDA names its threads by their files comm in /proc and gives up where it cannot. Threads to come have no file yet,
// so the rule must be for the folder; what else can be written in it is the process's own.
void allow_devices(int ruleset, const Ruleset& all, const Policy& policy) {
  if (policy.devices.empty()) return;
  for (const std::string& path : policy.devices) {
    require_device(path);
    allow(ruleset, all, path, kReadFile | kWriteFile | kReadDir | kIoctlDev);
  }
  // CUDA names its threads there, with a file that is opened to be replaced
  allow(ruleset, all, "/proc/self/task", kReadFile | kWriteFile | kTruncate | kReadDir);
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(kCreateRuleset, nullptr, 0, /*version*/ 1);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

void restrict_by_landlock(const Policy& policy, const std::string& scratch, int abi) {
  if (abi < 1) throw base::InfrastructureError("sandbox", "Landlock is not available in this kernel");
  const Ruleset all = everything(abi);
  // A kernel accepts a longer struct than it knows as long as the unknown part is zero.
  const base::UniqueFd ruleset(static_cast<int>(syscall(kCreateRuleset, &all, sizeof all, 0)));
  if (!ruleset) landlock_failed("create ruleset");
  const std::uint64_t execute = policy.processes ? std::uint64_t{kExecute} : 0;
  for (const std::string& path : policy.readable) allow(ruleset.get(), all, path, kReadFile | kReadDir | execute);
  allow(ruleset.get(), all, scratch,
        kReadFile | kReadDir | kWriteFile | kTruncate | kRemoveDir | kRemoveFile | kMakeDir | kMakeRegular |
            kMakeSymlink | kRefer | execute);
  allow(ruleset.get(), all, "/proc/self", kReadFile | kReadDir);
  allow_devices(ruleset.get(), all, policy);
  allow(ruleset.get(), all, "/dev/null", kReadFile | kWriteFile);
  allow(ruleset.get(), all, "/dev/zero", kReadFile);
  allow(ruleset.get(), all, "/dev/urandom", kReadFile);
  if (syscall(kRestrictSelf, ruleset.get(), abi >= 7 ? kLogNothing : 0U) != 0) landlock_failed("restrict self");
}

}  // namespace tritonrl::sandbox
