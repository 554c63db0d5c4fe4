#include "judge/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <set>

#include "base/error.h"
#include "judge/scripted_judge.h"

namespace tritonrl::judge {
namespace {

using namespace std::chrono_literals;
using record::Verdict;
using record::VerdictKind;

Submission submission(const std::string& id) {
  Submission out;
  out.id = id;
  return out;
}

Verdict verdict(VerdictKind kind, const std::string& message = "") {
  Verdict out;
  out.kind = kind;
  out.message = message;
  return out;
}

PoolOptions options(int threads, int queue = 0) {
  PoolOptions out;
  out.threads = threads;
  out.queue = queue;
  out.retry_pause = 1ms;
  return out;
}

TEST(Pool, FuturesBelongToTheirSubmissions) {
  ScriptedJudge judge([](const Submission& one) {
    std::this_thread::sleep_for(std::chrono::microseconds(std::hash<std::string>()(one.id) % 500));
    return verdict(VerdictKind::kPassed, one.id);
  });
  Pool pool(judge, options(8));
  std::vector<std::future<Verdict>> futures;
  for (int i = 0; i < 500; ++i) futures.push_back(pool.submit(submission(std::to_string(i))));
  for (int i = 0; i < 500; ++i) EXPECT_EQ(futures[static_cast<std::size_t>(i)].get().message, std::to_string(i));
}

TEST(Pool, WorkBeginsInTheOrderOfSubmission) {
  std::vector<std::string> begun;
  ScriptedJudge judge([&](const Submission& one) {
    begun.push_back(one.id);
    return verdict(VerdictKind::kPassed);
  });
  std::vector<std::string> expected;
  {
    Pool pool(judge, options(1, 100));
    std::vector<std::future<Verdict>> futures;
    for (int i = 0; i < 100; ++i) {
      expected.push_back(std::to_string(i));
      futures.push_back(pool.submit(submission(expected.back())));
    }
    for (auto& future : futures) future.wait();
  }
  EXPECT_EQ(begun, expected);
}

TEST(Pool, JudgesAsManyAtOnceAsItHasThreads) {
  std::latch all_there(4);
  ScriptedJudge judge([&](const Submission&) {
    all_there.arrive_and_wait();
    return verdict(VerdictKind::kPassed);
  });
  Pool pool(judge, options(4));
  EXPECT_EQ(pool.threads(), 4);
  std::vector<std::future<Verdict>> futures;
  for (int i = 0; i < 4; ++i) futures.push_back(pool.submit(submission("x")));
  for (auto& future : futures) EXPECT_EQ(future.wait_for(10s), std::future_status::ready);
}

TEST(Pool, SubmitBlocksWhileTheQueueIsFull) {
  std::latch go(1);
  ScriptedJudge judge([&](const Submission&) {
    go.wait();
    return verdict(VerdictKind::kPassed);
  });
  Pool pool(judge, options(2, 3));
  std::atomic<int> submitted = 0;
  std::vector<std::future<Verdict>> futures;
  std::thread submitter([&] {
    for (int i = 0; i < 20; ++i) {
      futures.push_back(pool.submit(submission("x")));
      ++submitted;
    }
  });
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(submitted, 5);  // two judged, three waiting
  go.count_down();
  submitter.join();
  for (auto& future : futures) EXPECT_EQ(future.get().kind, VerdictKind::kPassed);
}

TEST(Pool, InfrastructureIsTriedAgain) {
  std::atomic<int> tries = 0;
  ScriptedJudge judge([&](const Submission&) {
    return ++tries < 3 ? verdict(VerdictKind::kInfrastructure) : verdict(VerdictKind::kWrong);
  });
  Pool pool(judge, options(1));
  EXPECT_EQ(pool.submit(submission("x")).get().kind, VerdictKind::kWrong);
  EXPECT_EQ(tries, 3);
}

TEST(Pool, InfrastructureThatStaysIsGiven) {
  std::atomic<int> tries = 0;
  ScriptedJudge judge([&](const Submission&) {
    ++tries;
    return verdict(VerdictKind::kInfrastructure, "no disk");
  });
  {
    Pool pool(judge, options(1));
    const Verdict given = pool.submit(submission("x")).get();
    EXPECT_EQ(given.kind, VerdictKind::kInfrastructure);
    EXPECT_EQ(given.message, "no disk");
    EXPECT_EQ(tries, 3);
  }
  PoolOptions none = options(1);
  none.infrastructure_retries = 0;
  Pool pool(judge, none);
  pool.submit(submission("x")).get();
  EXPECT_EQ(tries, 4);
}

TEST(Pool, AVerdictAboutTheCandidateIsFinal) {
  std::atomic<int> tries = 0;
  ScriptedJudge judge([&](const Submission&) {
    ++tries;
    return verdict(VerdictKind::kTimeout);
  });
  Pool pool(judge, options(1));
  pool.submit(submission("x")).get();
  EXPECT_EQ(tries, 1);
}

TEST(Pool, ExceptionsTravelAndTheThreadGoesOn) {
  ScriptedJudge judge([](const Submission& one) -> Verdict {
    if (one.id == "bad") throw base::UserError("task", "defines no Model");
    return verdict(VerdictKind::kPassed);
  });
  Pool pool(judge, options(1));
  auto bad = pool.submit(submission("bad"));
  auto good = pool.submit(submission("good"));
  EXPECT_THROW(bad.get(), base::UserError);
  EXPECT_EQ(good.get().kind, VerdictKind::kPassed);
}

TEST(Pool, DestructionFinishesWhatRunsAndCancelsWhatWaits) {
  std::latch begun(1);
  std::atomic<int> judged = 0;
  ScriptedJudge judge([&](const Submission&) {
    begun.count_down();
    std::this_thread::sleep_for(50ms);
    ++judged;
    return verdict(VerdictKind::kPassed);
  });
  std::future<Verdict> running, waiting;
  {
    Pool pool(judge, options(1, 4));
    running = pool.submit(submission("running"));
    begun.wait();
    waiting = pool.submit(submission("waiting"));
  }
  EXPECT_EQ(running.get().kind, VerdictKind::kPassed);
  EXPECT_THROW(waiting.get(), base::InfrastructureError);
  EXPECT_EQ(judged, 1);
}

TEST(Pool, CancelWakesABlockedSubmitAndARetryingThread) {
  ScriptedJudge judge([](const Submission&) { return verdict(VerdictKind::kInfrastructure); });
  PoolOptions slow = options(1, 1);
  slow.retry_pause = 1h;
  Pool pool(judge, slow);
  auto retrying = pool.submit(submission("retrying"));
  auto waiting = pool.submit(submission("waiting"));
  std::future<Verdict> blocked;
  std::thread submitter([&] { blocked = pool.submit(submission("blocked")); });
  std::this_thread::sleep_for(50ms);
  pool.cancel();
  submitter.join();
  EXPECT_THROW(blocked.get(), base::InfrastructureError);
  EXPECT_THROW(waiting.get(), base::InfrastructureError);
  ASSERT_EQ(retrying.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(retrying.get().kind, VerdictKind::kInfrastructure);
  EXPECT_THROW(pool.submit(submission("late")).get(), base::InfrastructureError);
}

TEST(Pool, SaysWhenAFutureIsReady) {
  ScriptedJudge judge([](const Submission& one) -> Verdict {
    if (one.id == "bad") throw std::runtime_error("thrown");
    return verdict(VerdictKind::kPassed);
  });
  std::atomic<int> told = 0;
  Pool pool(judge, options(2));
  std::vector<std::future<Verdict>> futures;
  for (const char* id : {"good", "bad"}) futures.push_back(pool.submit(submission(id), [&] { ++told; }));
  for (auto& future : futures) future.wait();
  for (int i = 0; i < 1000 && told < 2; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(told, 2);
  pool.cancel();
  auto late = pool.submit(submission("late"), [&] { ++told; });
  EXPECT_EQ(told, 3);
}

// A thread that pauses before a retry must not swallow the news that work came.
TEST(Pool, RetriesDoNotDelayOthers) {
  ScriptedJudge judge([](const Submission& one) {
    return verdict(one.id == "ours" ? VerdictKind::kInfrastructure : VerdictKind::kPassed);
  });
  PoolOptions slow = options(4, 64);
  slow.retry_pause = 300s;
  Pool pool(judge, slow);
  std::vector<std::future<Verdict>> stuck, futures;
  for (int i = 0; i < 3; ++i) stuck.push_back(pool.submit(submission("ours")));
  std::this_thread::sleep_for(20ms);
  for (int i = 0; i < 200; ++i) futures.push_back(pool.submit(submission("theirs")));
  for (auto& future : futures) ASSERT_EQ(future.wait_for(20s), std::future_status::ready);
}

TEST(Pool, ManyThreadsSubmitAndJudge) {
  std::atomic<int> calls = 0;
  ScriptedJudge judge([&](const Submission& one) -> Verdict {
    const int call = ++calls;
    if (call % 17 == 0) throw std::runtime_error("thrown");
    return verdict(call % 5 == 0 ? VerdictKind::kInfrastructure : VerdictKind::kPassed, one.id);
  });
  PoolOptions many = options(16, 2);
  many.retry_pause = 0ms;
  Pool pool(judge, many);
  std::atomic<int> answered = 0, misplaced = 0;
  std::vector<std::jthread> submitters;
  for (int thread = 0; thread < 8; ++thread) {
    submitters.emplace_back([&, thread] {
      for (int i = 0; i < 300; ++i) {
        const std::string id = std::to_string(thread) + "/" + std::to_string(i);
        auto future = pool.submit(submission(id));
        try {
          if (future.get().message != id) ++misplaced;
        } catch (const std::runtime_error&) {
        }
        ++answered;
      }
    });
  }
  submitters.clear();
  EXPECT_EQ(answered, 8 * 300);
  EXPECT_EQ(misplaced, 0);
}

}  // namespace
}  // namespace tritonrl::judge
