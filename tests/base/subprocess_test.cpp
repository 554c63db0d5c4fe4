#include "base/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <iterator>

namespace tritonrl::base {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

CommandResult shell(const std::string& script, milliseconds limit = std::chrono::seconds(60)) {
  return run_command({"sh", "-c", script}, limit);
}

TEST(Subprocess, ExitCodes) {
  EXPECT_EQ(run_command({"true"}).exit_code, 0);
  EXPECT_EQ(run_command({"false"}).exit_code, 1);
  EXPECT_EQ(shell("exit 42").exit_code, 42);
  EXPECT_EQ(shell("kill -TERM $$").exit_code, 128 + SIGTERM);
  EXPECT_EQ(shell("kill -KILL $$").exit_code, 128 + SIGKILL);
}

TEST(Subprocess, BothStreamsHoweverLong) {
  const CommandResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_TRUE(result.started);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  // more than a pipe holds, on both at once
  const CommandResult flood = shell("head -c 1000000 /dev/zero >&2 & head -c 2000000 /dev/zero; wait");
  EXPECT_EQ(flood.output.size(), 2'000'000u);
  EXPECT_EQ(flood.errors.size(), 1'000'000u);
}

TEST(Subprocess, ArgumentsAreNoShellText) {
  EXPECT_EQ(run_command({"printf", "%s|", "a b", "$HOME", "", "`id`", "*"}).output, "a b|$HOME||`id`|*|");
}

TEST(Subprocess, StandardInputIsEmpty) {
  EXPECT_EQ(run_command({"cat"}).output, "");
}

TEST(Subprocess, AProgramThatIsNotThere) {
  for (const char* name : {"tritonrl-no-such-program", "/no/such/program", "/", ""}) {
    const CommandResult result = run_command({name});
    EXPECT_FALSE(result.started) << name;
    EXPECT_EQ(result.exit_code, -1) << name;
  }
}

TEST(Subprocess, ATimeoutEndsItAndKeepsWhatItSaid) {
  const auto begin = Clock::now();
  const CommandResult result = shell("echo $$; echo err >&2; exec sleep 100", milliseconds(300));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(50));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(::kill(std::stoi(result.output), 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Subprocess, ATimeoutHoldsForOneThatClosedItsPipes) {
  const auto begin = Clock::now();
  const CommandResult result = shell("exec sleep 100 >&- 2>&-", milliseconds(300));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(50));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(shell("exec >&- 2>&-; sleep 0.1; exit 7").exit_code, 7);
}

TEST(Subprocess, LeavesNoDescriptorBehind) {
  const auto open_files = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}); };
  const auto before = open_files();
  for (int i = 0; i < 20; ++i) run_command({i % 2 == 0 ? "true" : "/no/such/program"});
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace tritonrl::base
