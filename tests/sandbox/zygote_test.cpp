#include "sandbox/zygote.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "sandbox/proc_stat.h"
#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

std::size_t descriptors_of(const std::string& pid) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/" + pid + "/fd")) ++count;
  return count;
}

std::string error_of(const ZygoteOptions& options) {
  try {
    Zygote zygote(options);
  } catch (const base::UserError& error) {
    return std::string("user: ") + error.what();
  } catch (const base::InfrastructureError& error) {
    return std::string("ours: ") + error.what();
  }
  return "";
}

class ZygoteTest : public AttackTest {};

TEST_P(ZygoteTest, TwoHundredJobsLeakNothing) {
  Harness harness;
  const Policy policy = harness.policy(GetParam());
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const Result result = harness.run(policy, "open('file', 'w').write('x')");
      ASSERT_EQ(result.exit.kind, Exit::Kind::kExited) << describe(result);
      ASSERT_EQ(result.exit.code, 0) << describe(result);
    }
  };
  run(5);
  const std::string zygote = std::to_string(harness.zygote().pid());
  const auto ours = descriptors_of("self"), its = descriptors_of(zygote);
  const auto begin = std::chrono::steady_clock::now();
  run(200);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::cout << "a job under " << to_string(GetParam()) << ": " << took.count() / 200 << " ms\n";
  EXPECT_EQ(descriptors_of("self"), ours);
  EXPECT_EQ(descriptors_of(zygote), its);
  EXPECT_TRUE(harness.left_over().empty());
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{});
  EXPECT_EQ(harness.zygote().output(), "");
}

TEST_P(ZygoteTest, ServesManyThreads) {
  Harness harness;
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        const std::string word = std::to_string(i * 100 + k);
        right += harness.run(harness.policy(GetParam()), "say('" + word + "')").messages == std::vector{word};
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST_P(ZygoteTest, ADeadKeeperTakesItsProcessAlong) {
  Harness harness;
  Job job = harness.start(harness.policy(GetParam()), "say('running'); time.sleep(1000)");
  ASSERT_EQ(job.receive(), "running");
  const base::UniqueFd proc(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const pid_t pid : all_processes(proc.get())) {
    const auto stat = read_stat(proc.get(), pid);
    if (stat && stat->parent == harness.zygote().pid()) kill(pid, SIGKILL);
  }
  EXPECT_EQ(job.receive(), std::nullopt);
  EXPECT_EQ(job.finish().kind, Exit::Kind::kInfrastructure);
  EXPECT_TRUE(harness.left_over().empty());
}

TEST_P(ZygoteTest, NothingOutlivesAParentThatIsKilled) {
  Harness harness;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const std::unique_ptr<Zygote> zygote = harness.another();
    Job job = zygote->start(harness.policy(GetParam()));
    job.send("{}");
    job.send("say('running'); time.sleep(1000)");
    const bool running = job.receive() == "running";
    if (write(ends[1], running ? "y" : "n", 1) == 1) kill(getpid(), SIGKILL);
  }
  char answer = 0;
  ASSERT_EQ(read(ends[0], &answer, 1), 1);
  waitpid(parent, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(answer, 'y');
  EXPECT_TRUE(harness.left_over().empty());
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{});
}

TRITONRL_ATTACK_LEVELS(ZygoteTest);

TEST(Zygote, LevelNoneStillLimitsAndCloses) {
  Harness harness;
  Policy policy = harness.policy(Level::kNone);
  policy.wall_ms = 300;
  const Result result = harness.run(policy, "say(str(resource.getrlimit(resource.RLIMIT_NOFILE))); time.sleep(1000)");
  EXPECT_TRUE(result.said("(256, 256)")) << describe(result);
  EXPECT_EQ(result.exit.kind, Exit::Kind::kTimedOut);
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{});
}

TEST(Zygote, OutlivesTheThreadThatMadeIt) {
  std::unique_ptr<Harness> harness;
  std::thread([&] { harness = std::make_unique<Harness>(); }).join();
  EXPECT_TRUE(harness->run(harness->policy(Level::kNone), "say('hello')").said("hello"));
}

TEST(Zygote, ADeadOneIsAnInfrastructureError) {
  Harness harness;
  kill(harness.zygote().pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] {
    try {
      return harness.zygote().start(harness.policy(Level::kNone)).finish().kind != Exit::Kind::kInfrastructure;
    } catch (const base::InfrastructureError& error) {
      return std::string(error.what()).find("the zygote is dead") != std::string::npos;
    }
  }));
  harness.restart();
  EXPECT_TRUE(harness.run(harness.policy(Level::kNone), "say('hello')").said("hello"));
}

TEST(Zygote, SaysWhyItDidNotStart) {
  EXPECT_NE(error_of({.command = {"/no/such/program"}, .environment = {}, .boot = ""}).find("user: "),
            std::string::npos);
  EXPECT_NE(error_of({.command = {"/no/such/program"}, .environment = {}, .boot = ""}).find("No such file"),
            std::string::npos);
  const std::string failed = error_of(
      {.command = {python(), "-Ic", "import nothing_of_that_name"}, .environment = {"PATH=/usr/bin"}, .boot = ""});
  EXPECT_NE(failed.find("user: "), std::string::npos) << failed;
  EXPECT_NE(failed.find("No module named"), std::string::npos) << failed;
  const std::string hung =
      error_of({.command = {python(), "-Ic", "import time; print('busy', flush=True); time.sleep(60)"},
                .environment = {},
                .boot = "",
                .start_timeout_ms = 300});
  EXPECT_NE(hung.find("ours: "), std::string::npos) << hung;
  EXPECT_NE(hung.find("busy"), std::string::npos) << hung;
}

TEST(Zygote, IsGivenTimeWhileItWorks) {
  // far beyond its limit, but never idle for as long as that
  const std::string worked = error_of({.command = {python(), "-Ic",
                                                   "import sys, time\n"
                                                   "end = time.monotonic() + 2\n"
                                                   "while time.monotonic() < end: pass\n"
                                                   "sys.exit('done')"},
                                       .environment = {},
                                       .boot = "",
                                       .start_timeout_ms = 1000});
  EXPECT_NE(worked.find("done"), std::string::npos) << worked;
}

TEST(Zygote, TellsLaterWhatIsWrongIfItStartsInTheBackground) {
  Zygote zygote({.command = {python(), "-Ic", "import nothing_of_that_name"},
                 .environment = {"PATH=/usr/bin"},
                 .boot = "",
                 .background = true});
  try {
    zygote.start(Policy{});
    FAIL() << "it does not serve";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("No module named"), std::string::npos) << error.what();
  }
  EXPECT_THROW(zygote.start(Policy{}), base::InfrastructureError);
}

TEST(Zygote, GetsItsBootBytesItsEnvironmentAndNothingElse) {
  const std::string text =
      error_of({.command = {python(), "-Ic",
                            "import os\n"
                            "print(os.read(4, 100), sorted(os.environ), os.listdir('/proc/self/fd'), flush=True)\n"
                            "os._exit(1)"},
                .environment = {"LC_ALL=C.UTF-8"},
                .boot = "boot bytes"});
  EXPECT_NE(text.find("b'boot bytes' ['LC_ALL'] ['0', '1', '2', '3', '4', '5']"), std::string::npos) << text;
}

}  // namespace
}  // namespace tritonrl::sandbox::testing
