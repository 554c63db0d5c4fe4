#include "sandbox/mounts.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "sandbox/fail.h"

namespace tritonrl::sandbox {
namespace {

constexpr long kMountSetattr = 442;  // the same number on every architecture; older C libraries do not name it
constexpr unsigned kAtRecursive = 0x8000;
constexpr std::uint64_t kReadOnlyNoSuid = 0x1 | 0x2;

struct MountAttributes {
  std::uint64_t set, clear, propagation, user_namespace;
};

// mountinfo writes blanks and backslashes as \ooo.
std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// A remount must repeat the flags that the outer namespace locked, or it is refused.
unsigned long flags_of(const std::string& options) {
  unsigned long flags = 0;
  std::istringstream words(options);
  for (std::string word; std::getline(words, word, ',');) {
    for (const auto& [name, flag] : {std::pair{"nosuid", MS_NOSUID}, std::pair{"nodev", MS_NODEV},
                                     std::pair{"noexec", MS_NOEXEC}, std::pair{"noatime", MS_NOATIME},
                                     std::pair{"nodiratime", MS_NODIRATIME}, std::pair{"relatime", MS_RELATIME}}) {
      if (word == name) flags |= flag;
    }
  }
  return flags;
}

void make_read_only() {
  const MountAttributes attributes{.set = kReadOnlyNoSuid, .clear = 0, .propagation = 0, .user_namespace = 0};
  if (syscall(kMountSetattr, AT_FDCWD, "/", kAtRecursive, &attributes, sizeof attributes) == 0) return;
  if (errno != ENOSYS && errno != EPERM) fail("mount_setattr of /");
  make_read_only_by_list();
}

constexpr unsigned long kProcFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

void mount_proc() {
  if (mount("proc", "/proc", "proc", kProcFlags | MS_RDONLY, nullptr) == 0) return;
  if (errno != EPERM && errno != EACCES) fail("mount of /proc");
  if (mount("tmpfs", "/proc", "tmpfs", kProcFlags | MS_RDONLY, "size=4k,nr_inodes=1,mode=0555") != 0) {
    fail("mount over /proc");
  }
}

// CUDA fails (error 304) in a pid namespace without a /proc of its own and where it cannot write the names of its
// threads there. All else in /proc stays read-only: the numbers of the kernel are writable by root, whatever its
// capabilities.
void mount_proc_with_own_threads() {
  if (mount("proc", "/proc", "proc", kProcFlags, nullptr) != 0) {
    fail("mount of /proc, which a process with devices needs (level landlock uses the one that is there)");
  }
  constexpr const char* kThreads = "/proc/self/task";
  if (mount(kThreads, kThreads, nullptr, MS_BIND, nullptr) != 0) fail("bind mount of /proc/self/task");
  if (mount(nullptr, "/proc", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kProcFlags, nullptr) != 0) {
    fail("read-only remount of /proc");
  }
}

void mount_scratch(const Policy& policy) {
  const std::string options = "mode=0700,size=" + std::to_string(policy.scratch_bytes) +
                              ",nr_inodes=" + std::to_string(policy.scratch_files + 1);
  unsigned long flags = MS_NOSUID | MS_NODEV;
  if (!policy.processes) flags |= MS_NOEXEC;
  if (mount("tmpfs", policy.scratch.c_str(), "tmpfs", flags, options.c_str()) != 0) {
    fail("mount of the scratch folder " + policy.scratch);
  }
}

}  // namespace

void make_read_only_by_list() {
  std::ifstream list("/proc/self/mountinfo");
  if (!list) fail("open /proc/self/mountinfo");
  for (std::string line; std::getline(list, line);) {
    std::istringstream fields(line);
    std::string skipped, place, options;
    fields >> skipped >> skipped >> skipped >> skipped >> place >> options;
    const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | flags_of(options);
    if (mount(nullptr, unescape(place).c_str(), nullptr, flags, nullptr) == 0) continue;
    // A mount hidden under another one cannot be reached by path, by us or by the candidate.
    if (errno != ENOENT && errno != EINVAL && errno != EACCES) fail("read-only remount of " + place);
  }
}

void arrange_mounts(const Policy& policy) {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail("mount --make-rprivate /");
  make_read_only();
  if (policy.devices.empty()) {
    mount_proc();
  } else {
    mount_proc_with_own_threads();
  }
  mount_scratch(policy);
}

}  // namespace tritonrl::sandbox
