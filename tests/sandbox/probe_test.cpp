#include "sandbox/probe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/scratch.h"

namespace tritonrl::sandbox {
namespace {

TEST(Probe, ExplainsWhatItDoesNotFind) {
  const Capabilities found = probe();
  EXPECT_EQ(found.user_namespaces, found.why_no_namespaces.empty());
  EXPECT_EQ(found.seccomp, found.why_no_seccomp.empty());
  EXPECT_GE(found.landlock_abi, 0);
  EXPECT_TRUE(found.user_namespaces || !found.own_proc);
  std::cout << "level " << to_string(best_level(found)) << ", Landlock version " << found.landlock_abi << " "
            << found.why_no_namespaces << "\n";
}

TEST(Probe, PicksTheStrongestLevel) {
  Capabilities all{
      .user_namespaces = true, .seccomp = true, .landlock_abi = 1, .why_no_namespaces = "", .why_no_seccomp = ""};
  EXPECT_EQ(best_level(all), Level::kFull);
  EXPECT_EQ(best_level(all, /*devices=*/true), Level::kLandlock);
  all.own_proc = true;
  EXPECT_EQ(best_level(all, /*devices=*/true), Level::kFull);
  all.user_namespaces = false;
  EXPECT_EQ(best_level(all), Level::kLandlock);
  all.landlock_abi = 0;
  EXPECT_EQ(best_level(all), Level::kNone);
  all = {.user_namespaces = true, .seccomp = false, .landlock_abi = 7, .why_no_namespaces = "", .why_no_seccomp = ""};
  EXPECT_EQ(best_level(all), Level::kNone);
}

// What `inside` returns in a forked process; 255 where that throws or dies.
int forked(const std::function<int()>& inside) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(inside());
    } catch (const base::InfrastructureError&) {
      _exit(255);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

// As a container does that hides parts of /proc: the kernel then gives its namespaces no other.
int in_masked_proc(const Policy& policy) {
  return forked([&] {
    enter_namespaces();
    if (mount("tmpfs", "/proc/driver", "tmpfs", 0, nullptr) != 0) return 2;
    return forked([&] {
      enter_namespaces();
      return forked([&] {
        arrange_mounts(policy);
        return access("/proc/self", F_OK) == 0 ? 1 : 0;
      });
    });
  });
}

TEST(Mounts, AMaskedProcIsEmptyAndNotGivenToDevices) {
  if (!probe().own_proc) GTEST_SKIP() << "this machine gives no /proc in the first place";
  Policy policy;
  EXPECT_EQ(in_masked_proc(policy), 0);
  policy.devices = {"/dev/null"};
  EXPECT_EQ(in_masked_proc(policy), 255);
}

// The way of older kernels, which this one would never take.
TEST(Mounts, OneByOneAreReadOnlyToo) {
  if (!probe().user_namespaces) GTEST_SKIP() << probe().why_no_namespaces;
  const std::string folder = make_scratch("/var/tmp");
  const pid_t child = fork();
  if (child == 0) {
    enter_namespaces();
    if (mount("tmpfs", folder.c_str(), "tmpfs", MS_NODEV, nullptr) != 0) _exit(1);
    if (creat((folder + "/before").c_str(), 0600) < 0) _exit(2);
    closefrom(3);
    make_read_only_by_list();
    for (const std::string& place : {folder, std::string("/var/tmp"), std::string("/dev/shm")}) {
      if (access(place.c_str(), F_OK) != 0) continue;
      if (creat((place + "/after").c_str(), 0600) >= 0 || errno != EROFS) _exit(3);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  remove_scratch(folder);
}

}  // namespace
}  // namespace tritonrl::sandbox
