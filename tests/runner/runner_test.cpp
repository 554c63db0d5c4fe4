// Programs without launches, executed in sandboxed processes of a warm one.
#include "runner/runner.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <thread>

#include "base/error.h"
#include "program/program_json.h"
#include "tests/python/process_census.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using Kind = RunOutcome::Kind;

std::string task(const std::string& init, const std::string& forward, const std::string& inputs) {
  return "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        " +
         init + "\n    def forward(self, x):\n        " + forward + "\ndef get_inputs():\n    return [" + inputs +
         "]\n";
}

RunRequest request_for(const program::Program& program, std::uint64_t seed = 0) {
  RunRequest request;
  request.program = &program;
  request.seed = seed;
  return request;
}

RunOutcome completed(const RunRequest& request) {
  RunOutcome outcome = test_runner().run(request);
  EXPECT_EQ(outcome.kind, Kind::kCompleted) << to_string(outcome.kind) << ": " << outcome.message << outcome.log;
  if (outcome.forwards.empty()) outcome.forwards.emplace_back().outputs.emplace_back();
  return outcome;
}

std::vector<double> output(const RunRequest& request) {
  return values(completed(request).forwards.back().outputs.at(0));
}

constexpr const char* kSix = "torch.arange(6, dtype=torch.float32).reshape(2, 3)";

TEST(Runner, ComputesWhatTheModuleDoes) {
  const program::Program program = record_task(task("pass", "return x.t() * 2 + 1", kSix));
  const RunOutcome outcome = completed(request_for(program));
  ASSERT_EQ(outcome.forwards.size(), 1u);
  EXPECT_EQ(outcome.forwards[0].outputs[0].sizes, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(values(outcome.forwards[0].outputs[0]), (std::vector<double>{1, 7, 3, 9, 5, 11}));
}

TEST(Runner, TheSeedDecidesParametersAndInputs) {
  const program::Program program =
      record_task(task("self.l = torch.nn.Linear(4, 4)", "return self.l(x)", "torch.rand(2, 4)"));
  const auto first = output(request_for(program, 1));
  EXPECT_EQ(output(request_for(program, 1)), first);
  EXPECT_NE(output(request_for(program, 2)), first);
}

TEST(Runner, InputsAndStateCanBeGiven) {
  const program::Program program =
      record_task(task("self.w = torch.nn.Parameter(torch.ones(3))", "return x * self.w", kSix));
  RunRequest request = request_for(program);
  const std::vector<float> x = {1, 2, 3, 4, 5, 6}, w = {1, 10, 100};
  const auto bytes = [](const std::vector<float>& v) {
    return std::string(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float));
  };
  request.inputs = {{0, {bytes(x)}}};
  request.want_inputs = true;
  const RunOutcome with_inputs = completed(request);
  EXPECT_EQ(values(with_inputs.forwards[0].outputs[0]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(with_inputs.forwards[0].inputs[0]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  request.state = {{program.state.at(0).tensor, bytes(w)}};
  EXPECT_EQ(output(request), (std::vector<double>{1, 20, 300, 4, 50, 600}));
}

int step_of(const std::vector<program::Step>& steps, const std::string& op) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* call = std::get_if<program::AtenCall>(&steps[i]);
    if (call != nullptr && call->op == op) return static_cast<int>(i);
  }
  return -1;
}

// A constructor that packs its weights packs those that are given where they are drawn.
TEST(Runner, ContentsCanBeGivenWhereTheyAreDrawn) {
  const program::Program program =
      record_task(task("w = torch.empty(3).uniform_(); self.register_buffer('packed', torch.stack([w * 2, w + 1]))",
                       "return self.packed + x[:, :3] * 0", kSix));
  const int step = step_of(program.initialise, "aten::uniform_");
  ASSERT_GE(step, 0);
  const auto drawn = std::get<program::AtenCall>(program.initialise[static_cast<std::size_t>(step)]).result;
  RunRequest request = request_for(program);
  const std::vector<float> w = {1, 10, 100};
  request.drawn = {
      {step, {*drawn.get_if<program::TensorRef>(), {reinterpret_cast<const char*>(w.data()), sizeof(float) * 3}}}};
  request.want_state = true;
  const RunOutcome outcome = completed(request);
  const std::vector<double> packed = {2, 20, 200, 2, 11, 101};
  EXPECT_EQ(values(outcome.forwards[0].outputs[0]), packed);
  ASSERT_EQ(outcome.state.size(), 1u);
  EXPECT_EQ(values(outcome.state[0]), packed);
}

TEST(Runner, StateIsToldAsItIsAfterInitialise) {
  const program::Program program = record_task(
      task("self.w = torch.nn.Parameter(torch.ones(3)); self.register_buffer('n', torch.zeros(1, dtype=torch.int64))",
           "self.n += 1; return x * self.w", kSix));
  RunRequest request = request_for(program);
  EXPECT_TRUE(completed(request).state.empty());
  request.want_state = true;
  const std::vector<float> w = {1, 10, 100};
  ASSERT_EQ(program.state.at(0).name, "w");
  request.state = {{program.state[0].tensor, {reinterpret_cast<const char*>(w.data()), sizeof(float) * 3}}};
  const RunOutcome outcome = completed(request);
  ASSERT_EQ(outcome.state.size(), program.state.size());
  EXPECT_EQ(values(outcome.state[0]), (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(values(outcome.state[1]), std::vector<double>{0});
}

TEST(Runner, InPlaceAndOutCallsWriteTheMemoryOfTheirOperands) {
  const program::Program program = record_task(task(
      "self.register_buffer('seen', torch.zeros(3))",
      "self.seen.add_(x.sum(0)); y = torch.empty_like(x); torch.mul(x, 2, out=y); y[0].zero_(); return y, self.seen",
      kSix));
  const RunOutcome outcome = completed(request_for(program));
  EXPECT_EQ(values(outcome.forwards[0].outputs.at(0)), (std::vector<double>{0, 0, 0, 6, 8, 10}));
  EXPECT_EQ(values(outcome.forwards[0].outputs.at(1)), (std::vector<double>{3, 5, 7}));
}

TEST(Runner, EachForwardStartsFromTheStateAfterInitialise) {
  const program::Program program = record_task(
      task("self.register_buffer('count', torch.zeros(1))", "self.count += 1; return self.count.clone()", kSix), 0, 2);
  RunRequest request = request_for(program);
  request.forwards = {0, 0, 1};
  const RunOutcome fresh = completed(request);
  ASSERT_EQ(fresh.forwards.size(), 3u);
  for (const ForwardResult& forward : fresh.forwards) EXPECT_EQ(values(forward.outputs[0]), std::vector<double>{1});
  request.keep_state = true;
  const RunOutcome kept = completed(request);
  ASSERT_EQ(kept.forwards.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(values(kept.forwards[i].outputs[0]), std::vector<double>{i + 1.0});
}

TEST(Runner, UninitialisedMemoryHoldsSecretGarbage) {
  const program::Program program = record_task(task("pass", "return torch.empty(64, dtype=torch.int64) + 0", kSix));
  RunRequest request = request_for(program);
  request.garbage_seed = 1;
  const auto first = output(request);
  EXPECT_EQ(output(request), first);
  request.garbage_seed = 2;
  EXPECT_NE(output(request), first);
}

// What a pass over batches of one, permuted layouts and lazily made results are laid out like is the device's affair.
TEST(Runner, AnotherLayoutIsReportedAndMendedByRecordingAgain) {
  const std::string source = task("pass", "return (x * 2).permute(1, 0)", kSix);
  program::Program program = record_task(source);
  // as if the recorder had assumed another layout of x * 2
  int step = -1;
  for (std::size_t i = 0; i < program.forwards[0].steps.size(); ++i) {
    const auto* call = std::get_if<program::AtenCall>(&program.forwards[0].steps[i]);
    if (call == nullptr || call->op != "aten::mul.Tensor") continue;
    program.tensors[call->result.get_if<program::TensorRef>()->index].strides = {1, 2};
    step = static_cast<int>(i);
  }
  ASSERT_GE(step, 0);
  const RunOutcome outcome = test_runner().run(request_for(program));
  ASSERT_EQ(outcome.kind, Kind::kMismatch) << outcome.message;
  EXPECT_EQ(outcome.at, (StepPlace{Section::kForward, 0, step}));
  ASSERT_TRUE(outcome.mismatch->only_strides);
  EXPECT_EQ(outcome.mismatch->strides, (std::vector<std::vector<std::int64_t>>{{3, 1}}));

  python::RecordRequest again = python::task_request(source);
  again.strides = {{python::StrideOverride::Section::kForward, 0, step, outcome.mismatch->strides}};
  const python::RecordOutcome mended = python::test_recorder().record(again);
  ASSERT_TRUE(mended.program) << mended.message;
  EXPECT_EQ(output(request_for(*mended.program)), (std::vector<double>{0, 6, 2, 8, 4, 10}));
}

// A sum that cancels tells how far rounding carries; what does not round stays as it is, and so do draws.
TEST(Runner, RoundingCanBeMadeLarger) {
  const auto noisy = [](const std::string& forward) {
    const program::Program program = record_task(task("pass", "return " + forward, kSix));
    RunRequest request = request_for(program);
    const auto exact = output(request);
    request.noisy = true;
    return std::pair(exact, output(request));
  };
  const auto [exact, shaken] = noisy("torch.exp(x) / 7");
  ASSERT_EQ(exact.size(), shaken.size());
  EXPECT_NE(exact, shaken);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(shaken[i] / exact[i], 1, 2e-6) << i;
  for (const char* same :
       {"torch.relu(x)", "x.max(0).values", "x.t().contiguous()", "torch.rand_like(x)", "torch.floor(x)"}) {
    const auto [before, after] = noisy(same);
    EXPECT_EQ(before, after) << same;
  }
  const auto [zero, carried] = noisy("((x - x.mean()) / x.std()).sum().reshape(1)");
  EXPECT_LT(std::abs(zero[0]), 1e-6);
  EXPECT_LT(std::abs(carried[0]), 1e-5);
}

// On a GPU the buffer that log_sigmoid keeps for its backward pass is empty.
TEST(Runner, AResultThatNobodyReadsMayHaveAnotherForm) {
  const auto with_another_buffer = [](const std::string& forward) {
    program::Program program =
        record_task(task("pass", "y, kept = torch.ops.aten.log_sigmoid_forward(x); " + forward, kSix));
    for (const program::Step& step : program.forwards[0].steps) {
      const auto* call = std::get_if<program::AtenCall>(&step);
      if (call == nullptr || call->op != "aten::log_sigmoid_forward") continue;
      const program::Value& kept = call->result.get_if<program::Value::List>()->at(1);
      program::Tensor& buffer = program.tensors[kept.get_if<program::TensorRef>()->index];
      EXPECT_NE(buffer.sizes, (std::vector<std::int64_t>{7}));
      buffer.sizes = {7};
      buffer.strides = {1};
      program.storages[static_cast<std::size_t>(buffer.storage)].bytes = 28;
    }
    return program;
  };
  EXPECT_EQ(output(request_for(with_another_buffer("return y * 0 + 1"))), std::vector<double>(6, 1));
  EXPECT_EQ(test_runner().run(request_for(with_another_buffer("return y, kept"))).kind, Kind::kMismatch);
  EXPECT_EQ(test_runner().run(request_for(with_another_buffer("return y, kept.sum()"))).kind, Kind::kMismatch);
}

TEST(Runner, AnswersTheRecordersQuestions) {
  const program::Program item = record_task(
      task("self.p = torch.nn.Parameter(torch.rand(1))", "return x * self.p.item() * 0 + float(x.sum())", kSix));
  EXPECT_EQ(output(request_for(item)), std::vector<double>(6, 15));
  const program::Program list = record_task(task("pass", "return x * x.sum(1).tolist()[1]", kSix));
  EXPECT_EQ(output(request_for(list)), (std::vector<double>{0, 12, 24, 36, 48, 60}));
  const program::Program shape = record_task(task("pass", "return x[x > 2]", kSix));
  EXPECT_EQ(output(request_for(shape)), (std::vector<double>{3, 4, 5}));
  const program::Program equal = record_task(task("pass", "return x + (1 if torch.equal(x, x.clone()) else 2)", kSix));
  EXPECT_EQ(output(request_for(equal)), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Runner, ARecordingHoldsForItsAnswersOnly) {
  const program::Program program = record_task(task("pass", "return x * x.max().item()", "torch.rand(8)"), /*seed=*/1);
  completed(request_for(program, 1));
  const RunOutcome outcome = test_runner().run(request_for(program, 2));
  EXPECT_EQ(outcome.kind, Kind::kOtherAnswer) << outcome.message;
  ASSERT_TRUE(outcome.answer);
  EXPECT_NE(outcome.answer->get_if<double>(), nullptr);
}

TEST(Runner, WhatAnOperatorRaisesIsAnOutcome) {
  const program::Program program = record_task(task("pass", "return x.flatten()[torch.full((2,), 9)]", kSix));
  const RunOutcome outcome = test_runner().run(request_for(program));
  EXPECT_EQ(outcome.kind, Kind::kAtenError);
  EXPECT_NE(outcome.message.find("out of bounds"), std::string::npos) << outcome.message;
  ASSERT_TRUE(outcome.at);
}

TEST(Runner, MemoryIsLimited) {
  const program::Program huge = record_task(task("pass", "return torch.zeros(25 << 30) + 1", kSix));
  EXPECT_EQ(test_runner().run(request_for(huge)).kind, Kind::kOutOfMemory);
  const program::Program garbage = record_task(task("pass", "return torch.empty(25 << 30) + 1", kSix));
  EXPECT_EQ(test_runner().run(request_for(garbage)).kind, Kind::kOutOfMemory);
  RunRequest small = request_for(garbage);
  const program::Program some = record_task(task("pass", "return (torch.zeros(16 << 20) + 1).sum()", kSix));
  small.program = &some;
  small.memory_bytes = 32 << 20;
  EXPECT_EQ(test_runner().run(small).kind, Kind::kOutOfMemory);
  small.memory_bytes = 1 << 30;
  EXPECT_EQ(output(small), std::vector<double>{16 << 20});
}

TEST(Runner, WhatIsLeftWithoutMemoryIsAnOutcome) {
  const program::Program program = record_task(task("pass", "return x + 1", kSix));
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1} << 16, std::int64_t{1} << 20}) {
    RunRequest request = request_for(program);
    request.memory_bytes = bytes;
    const RunOutcome outcome = test_runner().run(request);
    const Kind kind = outcome.kind;
    EXPECT_TRUE(kind == Kind::kOutOfMemory || kind == Kind::kCrashed || kind == Kind::kCompleted)
        << to_string(kind) << ": " << outcome.message;
  }
  completed(request_for(program));
}

TEST(Runner, SeveralThreadsGiveTheSame) {
  const program::Program program = record_task(
      task("self.l = torch.nn.Linear(256, 256)", "return torch.relu(self.l(x)).exp()", "torch.rand(512, 256)"));
  RunRequest request = request_for(program, 3);
  const auto one = output(request);
  request.threads = 2;
  const auto two = output(request);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], two[i], 1e-4);
}

TEST(Runner, WorksWithoutNamespaces) {
  RunnerOptions options = test_runner_options();
  options.policy.level = sandbox::Level::kLandlock;
  Runner runner(options);
  const program::Program program = record_task(task("pass", "return x + 1", kSix));
  const RunOutcome outcome = runner.run(request_for(program));
  EXPECT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
}

// A task may make its inputs once and hand out the same tensors at every call.
TEST(Runner, InputsMayBeSharedByForwards) {
  const program::Program program = record_task(R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
made = []
def get_inputs():
    if not made:
        made.append(torch.rand(6))
    return made
)",
                                               0, 2);
  RunRequest request = request_for(program);
  request.forwards = {0, 1};
  const RunOutcome both = completed(request);
  ASSERT_EQ(both.forwards.size(), 2u);
  EXPECT_EQ(both.forwards[0].outputs[0].bytes, both.forwards[1].outputs[0].bytes);
  request.forwards = {1};
  EXPECT_EQ(completed(request).forwards[0].outputs[0].bytes, both.forwards[0].outputs[0].bytes);
}

// A number of the program's text replaced by another.
std::string altered(std::string text, std::mt19937& random) {
  constexpr const char* kNumbers[] = {"-1", "0", "1", "7", "2147483648", "-9223372036854775808", "4611686018427387904"};
  std::size_t begin = random() % text.size();
  while (begin < text.size() && !std::isdigit(static_cast<unsigned char>(text[begin]))) ++begin;
  std::size_t end = begin;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
  return text.replace(begin, end - begin, kNumbers[random() % std::size(kNumbers)]);
}

TEST(Runner, SurvivesWhateverProgramsAreValid) {
  const std::string text = program::to_json(record_task(task(
      "self.c = torch.nn.Conv2d(3, 4, 3, padding=1); self.e = torch.nn.Embedding(10, 8)",
      "y = torch.nn.functional.max_pool2d(self.c(x).relu(), 2); z = self.e(torch.arange(4, device=x.device)); "
      "return torch.cat([y.flatten(1), y.flatten(1)], 1).softmax(-1).topk(3)[0], z.cumsum(1), y.permute(0, 2, 3, 1), "
      "torch.nn.functional.interpolate(y, scale_factor=2), y.as_strided((2, 3), (1, 2)), y.sum((2, 3)).sort(1)[1]",
      "torch.rand(2, 3, 8, 8)")));
  std::mt19937 random(5);
  std::map<std::string, int> kinds;
  for (int i = 0; i < 600; ++i) {
    const base::Result<program::Program> program = program::read_program(altered(text, random));
    if (!program.ok()) continue;
    RunRequest request = request_for(program.value());
    request.wall_ms = 3000;
    request.memory_bytes = std::int64_t{1} << 30;
    ++kinds[to_string(test_runner().run(request).kind)];
  }
  for (const auto& [kind, count] : kinds) std::printf("%-16s %d\n", kind.c_str(), count);
  EXPECT_GT(kinds["completed"] + kinds["mismatch"] + kinds["aten_error"], 50);
}

TEST(Runner, TimeIsLimited) {
  const program::Program program = record_task(
      task("pass", "y = torch.rand(2000, 2000)\n        for i in range(300): y = y @ y\n        return y", kSix));
  RunRequest request = request_for(program);
  request.wall_ms = 300;
  const RunOutcome outcome = test_runner().run(request);
  EXPECT_EQ(outcome.kind, Kind::kTimeout) << outcome.message;
  EXPECT_LT(outcome.milliseconds, 5000);
}

TEST(Runner, AWarmProcessThatDiesIsReplaced) {
  Runner runner(test_runner_options());
  const program::Program program = record_task(task("pass", "return x + 1", kSix));
  EXPECT_EQ(runner.run(request_for(program)).kind, Kind::kCompleted);
  kill(runner.pid(), SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(runner.run(request_for(program)).kind, Kind::kCompleted);
}

TEST(Runner, RefusesAProgramThatIsNone) {
  RunnerOptions options = test_runner_options();
  options.executable = "/bin/false";
  EXPECT_THROW(Runner{options}, base::UserError);
}

TEST(Runner, RunsGoOnAtOnce) {
  const program::Program program = record_task(task("pass", "return x * 3", kSix));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) EXPECT_EQ(output(request_for(program)), (std::vector<double>{0, 3, 6, 9, 12, 15}));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Runner, ManyRunsLeaveNothing) {
  Runner runner(test_runner_options());
  const program::Program program = record_task(task("self.l = torch.nn.Linear(3, 8)", "return self.l(x).relu()", kSix));
  const RunRequest request = request_for(program);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(runner.run(request).kind, Kind::kCompleted);
  const int descriptors = python::open_descriptors(), processes = python::lasting_descendants();
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kRuns = 200;
  for (int i = 0; i < kRuns; ++i) ASSERT_EQ(runner.run(request).kind, Kind::kCompleted);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%d small runs: %.1f a second\n", kRuns, kRuns / seconds);
  EXPECT_EQ(python::open_descriptors(), descriptors);
  EXPECT_LE(python::lasting_descendants(), processes);
}

}  // namespace
}  // namespace tritonrl::runner
