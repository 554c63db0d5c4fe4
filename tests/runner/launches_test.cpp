// Programs with launches: what the machine finds, launches left out or run alone, and samples at real shapes.
#include <gtest/gtest.h>

#include <cmath>

#include "runner/runner.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/compile_launches.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using Kind = RunOutcome::Kind;
using machine::Finding;

// A candidate with one kernel `k(x, y, n, BLOCK)` that is launched over x; `body` has offs and mask at hand.
std::string candidate(const std::string& body, const std::string& output = "torch.empty_like(x)") {
  return R"(
import torch, triton
import triton.language as tl
@triton.jit
def k(x, y, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
)" + body +
         R"(
class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = )" +
         output + R"(
        k[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
)";
}

std::string task(const std::string& inputs) {
  return "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
         "def get_inputs():\n    return [" +
         inputs + "]\n";
}

const std::string kRelu = "    tl.store(y + offs, tl.maximum(tl.load(x + offs, mask=mask), 0), mask=mask)\n";
const std::string kCopy = "    tl.store(y + offs, tl.load(x + offs, mask=mask), mask=mask)\n";

struct Subject {
  program::Program program;
  RunRequest request;
};

// Recorded and compiled; the request points into it.
std::unique_ptr<Subject> subject(const std::string& code, const std::string& inputs = "torch.randn(300)") {
  const python::RecordOutcome outcome = python::test_recorder().record(python::candidate_request(task(inputs), code));
  if (!outcome.program) throw std::runtime_error("not recorded: " + outcome.message);
  auto out = std::make_unique<Subject>();
  out->program = *outcome.program;
  out->request.program = &out->program;
  if (const auto fault = compile_launches(out->request)) throw std::runtime_error(*fault);
  return out;
}

RunOutcome run(const RunRequest& request) {
  RunOutcome outcome = test_runner().run(request);
  EXPECT_EQ(outcome.log, "");  // a sanitizer's word would be here
  return outcome;
}

const Finding* find(const RunOutcome& outcome, Finding::Kind kind) {
  for (const LaunchReport& launch : outcome.launches) {
    for (const Finding& finding : launch.findings) {
      if (finding.kind == kind) return &finding;
    }
  }
  return nullptr;
}

TEST(Launches, AreExecutedBetweenAtenCalls) {
  const auto one = subject(candidate(kRelu));
  one->request.want_inputs = true;
  const RunOutcome outcome = run(one->request);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  const auto x = values(outcome.forwards[0].inputs[0]), y = values(outcome.forwards[0].outputs[0]);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], std::max(x[i], 0.0));
  ASSERT_EQ(outcome.launches.size(), 1u);
  EXPECT_EQ(outcome.launches[0].counters.programs, 3);
  EXPECT_TRUE(outcome.launches[0].findings.empty());
}

// A branch that only large inputs take shows in a sample at real shapes and in no small run.
TEST(Launches, TellWhichPlacesTheyExecuted) {
  const std::string code = candidate(
      "    v = tl.load(x + offs, mask=mask)\n"
      "    if n > 1000:\n"
      "        v = tl.exp(v)\n"
      "    else:\n"
      "        v = v * 2.0\n"
      "    tl.store(y + offs, v, mask=mask)\n");
  const auto small = subject(code), large = subject(code, "torch.randn(1 << 20)");
  large->request.sample = 8;
  const RunOutcome one = run(small->request), other = run(large->request);
  ASSERT_EQ(one.kind, Kind::kCompleted) << one.message;
  ASSERT_EQ(other.kind, Kind::kCompleted) << other.message;
  const auto &few = one.launches.at(0).covered, &many = other.launches.at(0).covered;
  ASSERT_EQ(few.size(), 3u);  // load, product, store
  ASSERT_EQ(many.size(), 3u);
  const int load = few[0].line;
  EXPECT_EQ(few[1].line, load + 4);
  EXPECT_EQ(few[2].line, load + 5);
  EXPECT_EQ(many[0], few[0]);
  EXPECT_EQ(many[1].line, load + 2);
  EXPECT_EQ(many[2], few[2]);
  EXPECT_GT(many[1].column, 0);
}

// Also for a sample: what the whole launch stores, by the program's own number of the storage.
TEST(Launches, TellWhichStorageTheyMoved) {
  for (const std::int64_t sample : {0, 4}) {
    const auto one = subject(candidate(kRelu), "torch.randn(1 << 14)");
    one->request.sample = sample;
    const RunOutcome outcome = run(one->request);
    ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
    const auto& launch = std::get<program::Launch>(one->program.forwards[0].steps.at(outcome.launches.at(0).at.step));
    const auto storage_of = [&](std::size_t argument) {
      const auto* ref = launch.variants[0].arguments.at(argument).value.get_if<program::TensorRef>();
      return one->program.tensors.at(ref->index).storage;
    };
    const auto& tensors = outcome.launches[0].counters.tensors;
    ASSERT_EQ(tensors.size(), 2u);
    for (const machine::TensorTraffic& traffic : tensors) {
      const bool is_input = traffic.tensor == "x";
      EXPECT_EQ(traffic.storage, storage_of(is_input ? 0 : 1));
      EXPECT_EQ(traffic.load_bytes, is_input ? 4 << 14 : 0);
      EXPECT_EQ(traffic.store_bytes + traffic.atomic_bytes, is_input ? 0 : 4 << 14);
    }
  }
}

TEST(Launches, AnAccessOutsideIsAFaultWithItsPlace) {
  const auto one = subject(candidate("    tl.store(y + offs, tl.load(x + offs), mask=mask)\n"));
  const RunOutcome outcome = run(one->request);
  ASSERT_EQ(outcome.kind, Kind::kFault) << outcome.message;
  ASSERT_EQ(outcome.launches.size(), 1u);
  const Finding& finding = outcome.launches[0].findings.back();
  EXPECT_EQ(finding.kind, Finding::Kind::kOutOfBounds);
  EXPECT_EQ(finding.tensor, "x");
  EXPECT_EQ(finding.program[0], 2);
  EXPECT_EQ(outcome.at, outcome.launches[0].at);
}

TEST(Launches, ReadingWhatNobodyWroteIsFound) {
  const auto one = subject(candidate("    tl.store(y + offs, tl.load(y + offs, mask=mask) + 1, mask=mask)\n"));
  const RunOutcome outcome = run(one->request);
  EXPECT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  EXPECT_NE(find(outcome, Finding::Kind::kUndefinedRead), nullptr);
  const auto zeroed = subject(
      candidate("    tl.store(y + offs, tl.load(y + offs, mask=mask) + 1, mask=mask)\n", "torch.zeros_like(x)"));
  EXPECT_EQ(find(run(zeroed->request), Finding::Kind::kUndefinedRead), nullptr);
}

TEST(Launches, OnesThatNeverEndAreStopped) {
  const auto one = subject(candidate("    i = 0\n    while i >= 0:\n    " + kCopy + "        i = (i + 1) % 1000\n"));
  one->request.machine.wall_ms = 300;
  const RunOutcome outcome = run(one->request);
  EXPECT_EQ(outcome.kind, Kind::kTimeout) << outcome.message;
  EXPECT_LT(outcome.milliseconds, 5000);
  EXPECT_NE(find(outcome, Finding::Kind::kTimeout), nullptr);
}

TEST(Launches, NeedAnImageThatCanBeRead) {
  const auto one = subject(candidate(kRelu));
  RunRequest without = one->request;
  without.launches.clear();
  EXPECT_EQ(run(without).kind, Kind::kNotExecutable);
  RunRequest broken = one->request;
  broken.images[0].ir = "module { this is no IR }";
  EXPECT_EQ(run(broken).kind, Kind::kNotExecutable);
  broken = one->request;
  broken.images[0].signature.resize(1);
  EXPECT_EQ(run(broken).kind, Kind::kNotExecutable);
}

TEST(Launches, CanBeSilenced) {
  const auto one = subject(candidate(kRelu));
  const RunOutcome usual = run(one->request);
  ASSERT_EQ(usual.kind, Kind::kCompleted) << usual.message;
  one->request.silenced = {usual.launches[0].at};
  const RunOutcome silent = run(one->request);
  ASSERT_EQ(silent.kind, Kind::kCompleted) << silent.message;
  EXPECT_TRUE(silent.launches.empty());
  EXPECT_NE(silent.forwards[0].outputs[0].bytes, usual.forwards[0].outputs[0].bytes);
}

const AloneStorage& operand(const RunOutcome& outcome, const std::string& name) {
  for (const AloneStorage& one : outcome.alone) {
    if (one.argument == name) return one;
  }
  throw std::runtime_error("no operand " + name);
}

std::vector<double> floats(const std::string& bytes) {
  return values({.dtype = program::DType::kFloat32, .sizes = {}, .bytes = bytes});
}

TEST(Launches, CanRunAloneOnSignedData) {
  const auto one = subject(candidate(kRelu), "torch.rand(300)");
  one->request.alone = Alone{.at = one->request.launches[0].at, .fill = Alone::Fill::kRandom, .scale = 100, .seed = 5};
  const RunOutcome outcome = run(one->request);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  const auto x = floats(operand(outcome, "x").before), y = floats(operand(outcome, "y").after);
  EXPECT_EQ(operand(outcome, "x").before, operand(outcome, "x").after);
  int negative = 0, large = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    negative += x[i] < 0;
    large += std::abs(x[i]) > 50;
    EXPECT_EQ(y[i], std::max(x[i], 0.0));
  }
  EXPECT_GT(negative, 100);
  EXPECT_GT(large, 100);
  EXPECT_EQ(operand(outcome, "x").written.find('\1'), std::string::npos);
  EXPECT_EQ(operand(outcome, "y").written.find('\0'), std::string::npos);
}

TEST(Launches, NanShowsWhatDependsOnLoads) {
  const auto one =
      subject(candidate("    tl.store(y + offs, tl.where(offs % 2 == 0, 7.0, "
                        "tl.load(x + offs, mask=mask)), mask=mask & (offs < 100))\n"));
  one->request.alone = Alone{.at = one->request.launches[0].at, .fill = Alone::Fill::kNan, .scale = 1, .seed = 0};
  const RunOutcome outcome = run(one->request);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  const AloneStorage result = operand(outcome, "y");
  const auto y = floats(result.after);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(result.written[4 * i], i < 100 ? 1 : 0);
    EXPECT_EQ(std::isnan(y[i]), i >= 100 || i % 2 == 1) << i;
  }
}

constexpr const char* kLarge = "torch.rand(1 << 30)";  // 4 GiB

TEST(Samples, TakeLittleMemoryAtRealShapes) {
  const auto one = subject(candidate(kRelu), kLarge);
  one->request.sample = 64;
  one->request.memory_bytes = std::int64_t{1} << 30;
  const RunOutcome outcome = run(one->request);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message << outcome.log;
  ASSERT_EQ(outcome.launches.size(), 1u);
  const machine::Counters& counters = outcome.launches[0].counters;
  EXPECT_EQ(counters.programs, (std::int64_t{1} << 30) / 128);
  EXPECT_LE(counters.executed, 64);
  EXPECT_LT(outcome.peak_bytes, std::int64_t{1} << 30);
  EXPECT_TRUE(outcome.launches[0].findings.empty());
  std::printf("sample of 8 GiB: %.0f ms, %.0f MiB resident\n", outcome.milliseconds,
              static_cast<double>(outcome.peak_bytes) / (1 << 20));
}

TEST(Samples, FindAccessesOutside) {
  const auto one = subject(candidate("    tl.store(y + offs + 1, tl.load(x + offs, mask=mask), mask=mask)\n"), kLarge);
  one->request.sample = 64;
  const RunOutcome outcome = run(one->request);
  EXPECT_EQ(outcome.kind, Kind::kFault) << outcome.message;
  EXPECT_NE(find(outcome, Finding::Kind::kOutOfBounds), nullptr);
}

TEST(Samples, ComputeIndices) {
  // the table has as many rows as there are indices: random ones would reach outside
  const std::string gather =
      "    at = tl.load(x + offs, mask=mask)\n"
      "    tl.store(y + offs, tl.load(y + at, mask=mask), mask=mask)\n";
  const auto one =
      subject(candidate(gather, "torch.rand(x.numel(), device=x.device)"), "torch.randint(0, 1 << 20, (1 << 20,))");
  one->request.sample = 64;
  const RunOutcome outcome = run(one->request);
  EXPECT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  // indices beyond the table are found, so they were computed and not made up
  const auto beyond =
      subject(candidate(gather, "torch.rand(x.numel(), device=x.device)"), "torch.randint(0, 1 << 30, (1 << 20,))");
  beyond->request.sample = 64;
  EXPECT_EQ(run(beyond->request).kind, Kind::kFault);
}

}  // namespace
}  // namespace tritonrl::runner
