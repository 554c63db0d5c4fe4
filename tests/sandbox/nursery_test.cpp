#include "sandbox/nursery.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/local_socket.h"
#include "tests/paths.h"
#include "tests/sandbox/harness.h"

namespace tritonrl::sandbox::testing {
namespace {

// A zygote that takes a moment to start and says how often that was done.
constexpr const char* kSlowStart = R"(
import sys
sys.path.insert(0, sys.argv[2])
with open(sys.argv[3], "a") as file:
    file.write("started\n")
import zygote
def handle(channel):
    print("heard", flush=True)
zygote.serve(3, sys.argv[1], handle)
)";

// A nursery on a thread of the test's own.
class Nursery : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv(kNurseryVariable, path_.c_str(), 1);
    base::UniqueFd listener = base::listen_at(path_, SOCK_SEQPACKET, "test");
    server_ = std::thread([held = std::move(listener)] { serve_nursery(held.get(), 1); });
    std::ofstream(starts_).flush();
  }
  void TearDown() override {
    end();
    unsetenv(kNurseryVariable);
  }
  void end() {
    if (!server_.joinable()) return;
    const base::UniqueFd reached = base::connect_to(path_, SOCK_SEQPACKET, "test");
    EXPECT_TRUE(reached && end_nursery(reached.get()));
    server_.join();
  }
  ZygoteOptions options() const {
    return {.command = {python(), "-I", "-c", kSlowStart, build_path("libtritonrl_sandbox_enter.so"),
                        source_path("src/python"), starts_},
            .environment = {"PATH=/usr/bin:/bin"},
            .boot = "",
            .made_of = {made_of_}};
  }
  // What came of a job: empty if all went well.
  std::string run(Zygote& zygote) const {
    Job job = zygote.start(harness_.policy(Level::kNone));
    while (job.receive()) {
    }
    const Exit exit = job.finish();
    return exit.kind == Exit::Kind::kExited && exit.code == 0 ? "" : exit.message + " " + std::to_string(exit.code);
  }
  std::size_t starts() const {
    std::ifstream file(starts_);
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  Harness harness_;
  const std::string path_ = harness_.folder() + "/nursery", starts_ = harness_.folder() + "/starts",
                    made_of_ = harness_.folder() + "/precious";
  std::thread server_;
};

TEST_F(Nursery, OneStartServesAll) {
  Zygote first(options()), second(options());
  EXPECT_EQ(run(first), "");
  EXPECT_EQ(run(second), "");
  EXPECT_NE(first.pid(), second.pid());
  EXPECT_EQ(starts(), 1u);
}

TEST_F(Nursery, OneWhoSaysNothingHoldsUpNobody) {
  {
    const base::UniqueFd silent = base::connect_to(path_, SOCK_SEQPACKET, "test");
    ASSERT_TRUE(silent);
    const Zygote first(options()), second(options());
  }
  EXPECT_EQ(starts(), 1u);
}

TEST_F(Nursery, ACopyEndsWithItsOwner) {
  pid_t pid = 0;
  {
    Zygote zygote(options());
    pid = zygote.pid();
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_TRUE(eventually([&] { return kill(pid, 0) != 0; }, 5000));
}

TEST_F(Nursery, CopiesOutliveIt) {
  Zygote zygote(options());
  end();
  EXPECT_EQ(run(zygote), "");
  Zygote alone(options());  // none to ask: it starts as if there had never been one
  EXPECT_EQ(run(alone), "");
  EXPECT_EQ(starts(), 2u);
}

TEST_F(Nursery, AnotherEnvironmentBootOrFileIsAnotherZygote) {
  ZygoteOptions other = options();
  other.environment.emplace_back("MORE=1");
  ZygoteOptions booted = options();
  booted.boot = "other bytes";
  { const Zygote one(options()), two(other), three(booted); }
  EXPECT_EQ(starts(), 3u);
  std::ofstream(made_of_) << "changed";
  { const Zygote again(options()); }
  EXPECT_EQ(starts(), 4u);
}

TEST_F(Nursery, OneThatCannotStartIsToldByItsOwner) {
  ZygoteOptions broken = options();
  broken.command = {python(), "-c", "print('no such module'); raise SystemExit(3)"};
  try {
    Zygote zygote(broken);
    FAIL() << "it started";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("no such module"), std::string::npos) << error.what();
  }
}

TEST_F(Nursery, AKilledTemplateIsReplaced) {
  pid_t template_pid = 0;
  {
    const Zygote one(options());
    std::ifstream status("/proc/" + std::to_string(one.pid()) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("PPid:")) template_pid = std::atoi(line.c_str() + 5);
    }
  }
  ASSERT_GT(template_pid, 1);
  kill(template_pid, SIGKILL);
  Zygote after(options());
  EXPECT_EQ(run(after), "");
  Zygote later(options());
  EXPECT_EQ(run(later), "");
}

}  // namespace
}  // namespace tritonrl::sandbox::testing
