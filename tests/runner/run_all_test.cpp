// Several runs in one process: the same outcomes as one by one, and what ends the process is its own affair.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runner/runner.h"
#include "tests/python/process_census.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/compile_launches.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using Kind = RunOutcome::Kind;

std::string task(const std::string& forward, const std::string& inputs) {
  return "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        "
         "self.l = torch.nn.Linear(4, 4)\n    def forward(self, x):\n        " +
         forward + "\ndef get_inputs():\n    return [" + inputs + "]\n";
}

program::Program small_program() {
  return record_task(task("return self.l(x).relu()", "torch.rand(2, 4)"));
}

program::Program slow_program() {
  return record_task(
      task("y = torch.rand(2000, 2000)\n        for i in range(300): y = y @ y\n        return y", "torch.rand(2, 4)"));
}

RunRequest request_for(const program::Program& program, std::uint64_t seed) {
  RunRequest request;
  request.program = &program;
  request.seed = seed;
  return request;
}

std::vector<RunRequest> requests_for(const program::Program& program, int count) {
  std::vector<RunRequest> out;
  for (int i = 0; i < count; ++i) out.push_back(request_for(program, static_cast<std::uint64_t>(i)));
  return out;
}

void expect_same(const RunOutcome& a, const RunOutcome& b) {
  ASSERT_EQ(a.kind, Kind::kCompleted) << a.message << a.log;
  ASSERT_EQ(b.kind, Kind::kCompleted) << b.message << b.log;
  ASSERT_EQ(a.forwards.size(), b.forwards.size());
  for (std::size_t i = 0; i < a.forwards.size(); ++i) {
    ASSERT_EQ(a.forwards[i].outputs.size(), b.forwards[i].outputs.size());
    for (std::size_t k = 0; k < a.forwards[i].outputs.size(); ++k) {
      EXPECT_EQ(a.forwards[i].outputs[k].bytes, b.forwards[i].outputs[k].bytes);
    }
  }
}

TEST(RunAll, GivesWhatSingleRunsGive) {
  const program::Program program = small_program();
  const program::Program other =
      record_task(task("return x + torch.empty(4, device=x.device).zero_()", "torch.rand(2, 4)"));
  std::vector<RunRequest> requests = requests_for(program, 3);
  requests.push_back(request_for(other, 1));
  requests.push_back(request_for(program, 3));
  requests.push_back(request_for(program, 0));
  requests[1].threads = 2;
  const std::vector<RunOutcome> together = test_runner().run_all(requests);
  ASSERT_EQ(together.size(), requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) expect_same(together[i], test_runner().run(requests[i]));
  EXPECT_EQ(together[0].forwards[0].outputs[0].bytes, together[5].forwards[0].outputs[0].bytes);
  EXPECT_NE(together[0].forwards[0].outputs[0].bytes, together[1].forwards[0].outputs[0].bytes);
  EXPECT_TRUE(test_runner().run_all({}).empty());
}

TEST(RunAll, OneThatStopsStopsNobodyElse) {
  const program::Program good = small_program();
  const program::Program bad = record_task(task("return x.flatten()[torch.full((2,), 9)]", "torch.rand(2, 4)"));
  const program::Program huge = record_task(task("return torch.zeros(25 << 30) + 1", "torch.rand(2, 4)"));
  const std::vector<RunRequest> requests = {request_for(good, 1), request_for(bad, 1), request_for(good, 1),
                                            request_for(huge, 1), request_for(good, 1)};
  const std::vector<RunOutcome> outcomes = test_runner().run_all(requests);
  EXPECT_EQ(outcomes.at(1).kind, Kind::kAtenError);
  EXPECT_EQ(outcomes.at(3).kind, Kind::kOutOfMemory);
  expect_same(outcomes.at(0), outcomes.at(2));
  expect_same(outcomes.at(0), outcomes.at(4));
}

TEST(RunAll, EachHasItsOwnTime) {
  const program::Program good = small_program(), slow = slow_program();
  std::vector<RunRequest> requests = {request_for(good, 1), request_for(slow, 1), request_for(good, 1)};
  requests[1].wall_ms = 300;
  const std::vector<RunOutcome> outcomes = test_runner().run_all(requests);
  EXPECT_EQ(outcomes.at(1).kind, Kind::kTimeout) << outcomes[1].message;
  EXPECT_EQ(outcomes[1].message, "no answer within 300 ms");
  EXPECT_LT(outcomes[1].milliseconds, 5000);
  expect_same(outcomes.at(0), outcomes.at(2));
}

TEST(RunAll, OnePartyIsNotTriedAgainAfterItTookTooLong) {
  const program::Program good = small_program(), slow = slow_program();
  std::vector<RunRequest> requests = {request_for(good, 1), request_for(slow, 1), request_for(slow, 2),
                                      request_for(good, 1)};
  for (RunRequest& request : requests) request.wall_ms = 1000;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<RunOutcome> outcomes = test_runner().run_all(requests, /*one_party=*/true);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_EQ(outcomes[0].kind, Kind::kCompleted) << outcomes[0].message;
  EXPECT_EQ(outcomes[1].message, "no answer within 1000 ms");
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(outcomes[i].kind, Kind::kTimeout);
    EXPECT_EQ(outcomes[i].message, "not tried: an earlier run took too long");
  }
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  const std::string pid = std::to_string(parent);
  std::ifstream file("/proc/" + pid + "/task/" + pid + "/children");
  for (pid_t child = 0; file >> child;) out.push_back(child);
  return out;
}

// A request that dies in company may be innocent: it is tried again; one that dies alone is not.
TEST(RunAll, AProcessThatDiesIsReplaced) {
  Runner runner(test_runner_options());
  const program::Program good = small_program(), slow = slow_program();
  for (const bool in_company : {true, false}) {
    std::vector<RunRequest> requests = {request_for(slow, 1), request_for(good, 1)};
    if (in_company) requests.insert(requests.begin(), request_for(good, 1));
    requests[in_company ? 1 : 0].wall_ms = 5000;
    std::vector<RunOutcome> outcomes;
    std::thread running([&] { outcomes = runner.run_all(requests); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    for (const pid_t keeper : children_of(runner.pid())) {
      for (const pid_t child : children_of(keeper)) kill(child, SIGKILL);
    }
    running.join();
    ASSERT_EQ(outcomes.size(), requests.size());
    const RunOutcome& killed = outcomes[in_company ? 1 : 0];
    EXPECT_EQ(killed.kind, in_company ? Kind::kTimeout : Kind::kCrashed) << killed.message;
    EXPECT_EQ(outcomes.back().kind, Kind::kCompleted) << outcomes.back().message;
  }
}

TEST(RunAll, TwelveRunsCostLittleMoreThanOne) {
  Runner runner(test_runner_options());
  const program::Program program = small_program();
  const std::vector<RunRequest> requests = requests_for(program, 12);
  runner.run_all(requests);
  const auto milliseconds = [](auto&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  };
  double together = 1e9, apart = 1e9, further = 1e9;
  for (int i = 0; i < 5; ++i) {
    std::vector<RunOutcome> outcomes;
    together = std::min(together, milliseconds([&] { outcomes = runner.run_all(requests); }));
    apart = std::min(apart, milliseconds([&] {
                       for (const RunRequest& request : requests) runner.run(request);
                     }));
    double sum = 0;
    for (std::size_t k = 1; k < outcomes.size(); ++k) {
      ASSERT_EQ(outcomes[k].kind, Kind::kCompleted);
      sum += outcomes[k].milliseconds;
    }
    further = std::min(further, sum / 11);
  }
  std::printf("12 runs: %.1f ms in one call, %.1f ms in 12 calls; each further run %.2f ms\n", together, apart,
              further);
  EXPECT_LT(together, apart / 2);
}

TEST(RunAll, LaunchesAreMadeReadyOnce) {
  const std::string code = R"(
import torch, triton
import triton.language as tl
@triton.jit
def k(x, y, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(y + offs, tl.maximum(tl.load(x + offs, mask=mask), 0), mask=mask)
class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        k[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
)";
  const std::string reference =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
      "def get_inputs():\n    return [torch.randn(300)]\n";
  const python::RecordOutcome recorded = python::test_recorder().record(python::candidate_request(reference, code));
  ASSERT_TRUE(recorded.program) << recorded.message;
  RunRequest request;
  request.program = &*recorded.program;
  ASSERT_EQ(compile_launches(request), std::nullopt);
  std::vector<RunRequest> requests(12, request);
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i].seed = i;
  requests[5].sample = 2;
  requests[6].images[0].ir = "module { this is no IR }";
  const std::vector<RunOutcome> outcomes = test_runner().run_all(requests);
  double further = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (i == 5 || i == 6) continue;
    ASSERT_EQ(outcomes[i].kind, Kind::kCompleted) << outcomes[i].message;
    expect_same(outcomes[i], test_runner().run(requests[i]));
    if (i > 0) further += outcomes[i].milliseconds / 9;
  }
  EXPECT_EQ(outcomes[5].kind, Kind::kCompleted) << outcomes[5].message;
  EXPECT_EQ(outcomes[6].kind, Kind::kNotExecutable);
  std::printf("runs with a launch: the first %.1f ms, each further one %.2f ms\n", outcomes[0].milliseconds, further);
}

// The process, and what all runs of a call send back, are bounded by the budget's memory. (Zeros that nobody writes
// take none.)
TEST(RunAll, KeepsToABudgetOfMemory) {
  const program::Program large =
      record_task(task("return x.sum() + x.new_full((15_000_000,), 2.0)", "torch.rand(2, 4)"));
  const std::vector<RunRequest> requests = requests_for(large, 4);
  const base::Budget enough = base::Budget::of(60'000, std::int64_t{400} << 20);
  const std::vector<RunOutcome> all = test_runner().run_all(requests, true, enough);
  for (const RunOutcome& one : all) EXPECT_EQ(one.kind, Kind::kCompleted) << one.message;
  const std::vector<RunOutcome> some =
      test_runner().run_all(requests, true, base::Budget::of(60'000, std::int64_t{200} << 20));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some[i].kind, Kind::kCompleted) << some[i].message;
  EXPECT_EQ(some[3].kind, Kind::kOutOfMemory) << "a fourth result of 60 MB";
  EXPECT_NE(some[3].message.find("results"), std::string::npos) << some[3].message;
  // far beyond the budget: what a warm process has and does not use is not counted
  const program::Program larger =
      record_task(task("return x.sum() + x.new_full((60_000_000,), 2.0)", "torch.rand(2, 4)"));
  RunRequest inside = requests_for(larger, 1).front();
  inside.want_outputs = false;
  EXPECT_EQ(test_runner().run(inside, base::Budget::of(60'000, std::int64_t{100} << 20)).kind, Kind::kOutOfMemory)
      << "two tensors of 240 MB";
}

TEST(RunAll, LeavesNothing) {
  Runner runner(test_runner_options());
  const program::Program good = small_program(), slow = slow_program();
  std::vector<RunRequest> requests = {request_for(good, 1), request_for(slow, 1), request_for(good, 1)};
  requests[1].wall_ms = 100;
  runner.run_all(requests);
  const int descriptors = python::open_descriptors(), processes = python::lasting_descendants();
  for (int i = 0; i < 5; ++i) runner.run_all(requests);
  EXPECT_EQ(python::open_descriptors(), descriptors);
  EXPECT_LE(python::lasting_descendants(), processes);
}

}  // namespace
}  // namespace tritonrl::runner
