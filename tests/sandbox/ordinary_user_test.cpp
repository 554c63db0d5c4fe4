#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/paths.h"

namespace tritonrl::sandbox::testing {
namespace {

// Root is allowed much that a user is not, so the attacks are run again as nobody.
class OrdinaryUserTest : public ::testing::TestWithParam<std::string> {};

TEST_P(OrdinaryUserTest, IsProtectedAsRootIs) {
  if (geteuid() != 0) GTEST_SKIP() << "not root: the other tests already run as an ordinary user";
  const passwd* nobody = getpwnam("nobody");
  if (nobody == nullptr) GTEST_SKIP() << "there is no user nobody";
  const std::string program = build_path("tests/sandbox_fast_tests");
  const std::string attacks = "tests/sandbox/" + GetParam() + "_test.cpp";
  const pid_t child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(nobody->pw_gid) != 0 || setuid(nobody->pw_uid) != 0) _exit(125);
    execl(program.c_str(), program.c_str(), "--gtest_brief=1", "--files", attacks.c_str(), nullptr);
    _exit(126);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 125) GTEST_SKIP() << "this container does not let root become nobody";
  if (WEXITSTATUS(status) == 126) GTEST_SKIP() << "nobody may not run " << program;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

INSTANTIATE_TEST_SUITE_P(, OrdinaryUserTest,
                         ::testing::Values("files", "network", "processes", "descriptors", "resources", "devices"),
                         [](const auto& attacks) { return attacks.param; });

}  // namespace
}  // namespace tritonrl::sandbox::testing
