#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

using Kind = Exit::Kind;

class EndingsTest : public AttackTest {
 protected:
  Result run(const std::string& source, std::int64_t wall_ms = 10'000) {
    Policy policy = harness_.policy(GetParam());
    policy.wall_ms = wall_ms;
    const Result result = harness_.run(policy, source);
    EXPECT_TRUE(harness_.left_over().empty());
    EXPECT_TRUE(harness_.run(harness_.policy(GetParam()), "say('hello')").said("hello"));
    return result;
  }
  Harness harness_;
};

TEST_P(EndingsTest, ByItself) {
  const struct {
    const char* source;
    Kind kind;
    std::vector<int> codes;
  } cases[] = {
      {"pass", Kind::kExited, {0}},
      {"sys.exit()", Kind::kExited, {0}},
      {"sys.exit(3)", Kind::kExited, {3}},
      {"sys.exit('no')", Kind::kExited, {1}},
      {"os._exit(4)", Kind::kExited, {4}},
      {"raise ValueError('mine')", Kind::kExited, {70}},
      {"os._exit = exit = None; raise KeyboardInterrupt", Kind::kExited, {70}},
      {"ctypes.string_at(0)", Kind::kSignaled, {SIGSEGV}},
      // The kernel does not deliver a signal to the first process of a pid namespace that it sends to itself; the C
      // library then crashes it by an instruction that is not allowed.
      {"libc.abort()", Kind::kSignaled, {SIGABRT, SIGSEGV, SIGILL, SIGTRAP}},
  };
  for (const auto& [source, kind, codes] : cases) {
    SCOPED_TRACE(source);
    const Result result = run(source);
    EXPECT_EQ(result.exit.kind, kind) << describe(result);
    EXPECT_NE(std::ranges::find(codes, result.exit.code), codes.end()) << describe(result);
    EXPECT_FALSE(result.malformed);
  }
  EXPECT_NE(run("raise ValueError('mine')").log.find("ValueError: mine"), std::string::npos);
}

TEST_P(EndingsTest, CallsByAnotherArchitecturesNumbersKill) {
  const Result result = run("say(str(libc.syscall(0x40000000 + 39)) if os.uname().machine == 'x86_64' else 'other')");
  if (result.said("other")) GTEST_SKIP() << "only x86-64 has them";
  EXPECT_EQ(result.exit.kind, Kind::kSignaled) << describe(result);
  EXPECT_EQ(result.exit.code, SIGSYS);
}

TEST_P(EndingsTest, HangingIsTimedOut) {
  for (const char* source : {
           "while True: pass",
           "time.sleep(1000)",
           "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); [signal.signal(n, signal.SIG_IGN) for n in "
           "(1, 2, 3, 13, 14, 15, 24)]; time.sleep(1000)",
           "os.kill(os.getpid(), signal.SIGSTOP); time.sleep(1000)",
           "os.close(3); os.close(1); os.close(2); time.sleep(1000)",
           "read_exactly(1)",
       }) {
    SCOPED_TRACE(source);
    const Result result = run(source, 300);
    const bool closed = std::string_view(source).starts_with("os.close");
    EXPECT_EQ(result.exit.kind, closed ? Kind::kCancelled : Kind::kTimedOut) << describe(result);
    EXPECT_LT(result.seconds, 1.5);
    EXPECT_GT(result.seconds, closed ? 0.19 : 0.29);
  }
}

TEST_P(EndingsTest, CpuTimeIsLimited) {
  Policy policy = harness_.policy(GetParam());
  policy.cpu_seconds = 1;
  const Result result = harness_.run(policy, "while True: pass");
  EXPECT_EQ(result.exit.kind, Kind::kTimedOut) << describe(result);
  EXPECT_GE(result.exit.cpu_ms, 900);
  EXPECT_LT(result.seconds, 5);
}

constexpr const char* kComputes = "end = time.time() + 1.8\nwhile time.time() < end: pass";

TEST_P(EndingsTest, SleepingIsNotWaitingForAProcessor) {
  const Result asleep = run("time.sleep(1.5)"), awake = run(kComputes);
  EXPECT_LT(asleep.exit.wanted_ms, 750) << describe(asleep);
  EXPECT_GT(awake.exit.wanted_ms, 900) << describe(awake);
  EXPECT_FALSE(starved(asleep.exit, 10'000));
}

// Many on one processor, whatever the machine has.
TEST_P(EndingsTest, WhoeverIsDeniedTheProcessorIsStarved) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  Harness there;
  // A session each: the kernel may share the processor out among sessions first, and what is confined has its own.
  std::vector<pid_t> others;
  for (int i = 0; i < 9; ++i) {
    others.push_back(fork());
    if (others.back() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    for (volatile bool go_on = true; go_on;) {
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  const Result result = there.run(there.policy(GetParam()), kComputes);
  for (const pid_t other : others) {
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  }
  EXPECT_FALSE(starved(result.exit, result.exit.cpu_ms)) << "it had all that its limit meant it to have";
  EXPECT_TRUE(starved(result.exit, 10'000)) << result.exit.wanted_ms << " ms wanted, " << result.exit.cpu_ms << " had";
}

TEST_P(EndingsTest, BadFramesEndTheConversation) {
  const struct {
    const char* source;
    std::size_t whole;
  } cases[] = {
      {"os.write(3, b'\\xff\\xff\\xff\\xff' + b'x' * 1000); time.sleep(0.1)", 0},
      {"os.write(3, b'\\x00\\x00\\x00\\x20' + b'x' * 1000); time.sleep(0.1)", 0},
      {"say('one'); os.write(3, b'\\x05\\x00\\x00\\x00abc')", 1},
      {"os.write(3, b'\\x05')", 0},
      {"say(''); say('one'); os.write(3, b'\\x05\\x00')", 2},
  };
  for (const auto& [source, whole] : cases) {
    SCOPED_TRACE(source);
    const Result result = run(source);
    EXPECT_TRUE(result.malformed) << describe(result);
    EXPECT_EQ(result.messages.size(), whole) << describe(result);
  }
}

TEST_P(EndingsTest, FinishCancels) {
  Job job = harness_.start(harness_.policy(GetParam()), "say('running'); time.sleep(1000)");
  EXPECT_EQ(job.receive(), "running");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(job.finish().kind, Kind::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(job.finish().kind, Kind::kCancelled);
  EXPECT_FALSE(job.send("anyone?"));
  EXPECT_EQ(job.receive(), std::nullopt);
  EXPECT_TRUE(harness_.left_over().empty());
}

TEST_P(EndingsTest, ADroppedJobIsCancelled) {
  {
    Job first = harness_.start(harness_.policy(GetParam()), "time.sleep(1000)");
    Job second = harness_.start(harness_.policy(GetParam()), "say('second')");
    first = std::move(second);
    EXPECT_EQ(first.receive(), "second");
  }
  EXPECT_TRUE(harness_.left_over().empty());
}

TEST_P(EndingsTest, LongMessagesGoBothWays) {
  Job job = harness_.start(harness_.policy(GetParam()), "say(read_frame().decode()[::-1])");
  std::string text(std::size_t{4} << 20, 'a');
  text.front() = 'b';
  EXPECT_TRUE(job.send(text));
  const auto answer = job.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(std::equal(answer->rbegin(), answer->rend(), text.begin(), text.end()));
  EXPECT_EQ(job.receive(), std::nullopt);
  EXPECT_EQ(job.finish().kind, Kind::kExited);
}

TEST_P(EndingsTest, SendingToOneThatDoesNotReadIsBounded) {
  Policy policy = harness_.policy(GetParam());
  policy.wall_ms = 300;
  Job job = harness_.start(policy, "time.sleep(1000)");
  EXPECT_FALSE(job.send(std::string(std::size_t{20} << 20, 'a')));
  EXPECT_EQ(job.finish().kind, Kind::kTimedOut);
}

TEST_P(EndingsTest, WhatCannotBeConfinedIsOurFault) {
  Policy policy = harness_.policy(GetParam());
  policy.scratch = harness_.folder() + "/missing";
  const Result result = harness_.run(policy, "say('ran')");
  EXPECT_EQ(result.exit.kind, Kind::kInfrastructure) << describe(result);
  EXPECT_NE(result.exit.message.find("missing"), std::string::npos) << describe(result);
  EXPECT_FALSE(result.said("ran"));
}

TRITONRL_ATTACK_LEVELS(EndingsTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
