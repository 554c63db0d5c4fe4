#include "sandbox/landlock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "sandbox/privileges.h"
#include "sandbox/scratch.h"

namespace tritonrl::sandbox {
namespace {

constexpr unsigned long kUnknownRequest = 'F' << 8 | 1;
constexpr int kCreate = O_CREAT | O_WRONLY | O_CLOEXEC;

// The number of the first expectation that fails; 0 if all hold.
int broken_expectation(const std::string& outside, const std::string& scratch, int abi) {
  forbid_new_privileges();
  Policy policy;
  policy.readable = {outside + "/readable", outside + "/missing"};
  policy.devices = {"/dev/full", outside + "/missing"};
  restrict_by_landlock(policy, scratch, abi);
  const auto refused = [](int fd) { return fd < 0 && errno == EACCES; };
  if (!refused(open((outside + "/new").c_str(), kCreate, 0600))) return 1;
  if (!refused(open((outside + "/secret").c_str(), O_RDONLY))) return 2;
  if (open((outside + "/readable").c_str(), O_RDONLY) < 0) return 3;
  if (!refused(open((outside + "/readable").c_str(), O_WRONLY))) return 4;
  if (open((scratch + "/new").c_str(), kCreate | O_TRUNC, 0600) < 0) return 5;
  if (rename((scratch + "/new").c_str(), (scratch + "/moved").c_str()) != 0) return 6;
  if (rename((scratch + "/moved").c_str(), (outside + "/moved").c_str()) == 0) return 7;
  if (abi >= 3 && truncate((outside + "/readable").c_str(), 0) == 0) return 8;
  if (abi >= 6 && kill(getppid(), 0) == 0) return 9;
  if (open("/dev/null", O_RDWR) < 0 || open("/proc/self/maps", O_RDONLY) < 0) return 10;
  const int granted = open("/dev/full", O_RDWR), other = open("/dev/urandom", O_RDONLY);
  if (granted < 0 || !refused(open("/dev/random", O_RDWR))) return 11;
  if (ioctl(granted, kUnknownRequest) == 0 || errno != ENOTTY) return 12;
  if (abi >= 5 && (ioctl(other, kUnknownRequest) == 0 || errno != EACCES)) return 13;
  return 0;
}

// A newer kernel takes the rules of any older version, so that they can be tried here.
TEST(Landlock, HoldsAtEveryVersion) {
  if (landlock_abi() < 1) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string outside = make_scratch("/var/tmp"), scratch = make_scratch("/var/tmp");
  std::ofstream(outside + "/secret") << "x";
  std::ofstream(outside + "/readable") << "x";
  for (int abi = 1; abi <= landlock_abi(); ++abi) {
    const pid_t child = fork();
    if (child == 0) _exit(broken_expectation(outside, scratch, abi));
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "version " << abi;
  }
  remove_scratch(outside);
  remove_scratch(scratch);
}

}  // namespace
}  // namespace tritonrl::sandbox
