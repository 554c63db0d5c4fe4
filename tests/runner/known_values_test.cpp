// Rows of sampled runs at real sizes: what comes back must be what the program would compute, and what may not be so
// must not count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "runner/runner.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/compile_launches.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using Kind = RunOutcome::Kind;

constexpr std::int64_t kRowCount = 4096, kColumns = 32;

// x of [4096, 32]; `kernels` defines them, `forward` uses them.
struct RowSubject {
  program::Program program;
  RunRequest request;

  explicit RowSubject(const std::string& forward, const std::string& kernels = "",
                      const std::string& inputs = "torch.randn(4096, 32)", const std::string& init = "pass") {
    const std::string task =
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
        "def get_inputs():\n    return [" +
        inputs + "]\n";
    const std::string code = "import torch, triton\nimport triton.language as tl\n" + kernels +
                             "\nclass ModelNew(torch.nn.Module):\n    def __init__(self):\n        "
                             "super().__init__()\n        " +
                             init + "\n    def forward(self, x):\n" + forward;
    const python::RecordOutcome outcome = python::test_recorder().record(python::candidate_request(task, code));
    if (!outcome.program) throw std::runtime_error("not recorded: " + outcome.message);
    program = *outcome.program;
    request.program = &program;
    if (const auto fault = compile_launches(request)) throw std::runtime_error(*fault);
    request.sample = 8;
    request.want_outputs = false;
    request.check_answers = false;
    request.rows = SampledRows{
        .count = kRowCount, .most = 16, .inputs = {0}, .outputs = {0}, .seed = 3, .positive = false, .torch_ms = 300};
  }

  RowValues rows() const {
    const RunOutcome outcome = test_runner().run(request);
    EXPECT_EQ(outcome.log, "");
    if (outcome.kind != Kind::kCompleted || !outcome.rows)
      throw std::runtime_error("no rows: " + to_string(outcome.kind) + ": " + outcome.message);
    return *outcome.rows;
  }
};

// One program a row.
const std::string kDouble = R"(
@triton.jit
def double(x, y, n, COLUMNS: tl.constexpr):
    offs = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(y + offs, tl.load(x + offs) * 2.0)
)";
const std::string kDoubled =
    "        y = torch.empty_like(x)\n        double[(4096,)](x, y, x.numel(), COLUMNS=32)\n        return y\n";

// Every element that is said to be known is twice its input.
void expect_doubled(const RowValues& rows, std::size_t least) {
  ASSERT_EQ(rows.unknown, "");
  ASSERT_EQ(rows.inputs.size(), 1u);
  ASSERT_EQ(rows.outputs.size(), 1u);
  const auto x = values(rows.inputs[0]), y = values(rows.outputs[0]);
  ASSERT_EQ(x.size(), y.size());
  ASSERT_EQ(rows.written[0].size(), y.size());
  std::size_t known = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (rows.written[0][i] == 0) continue;
    ++known;
    ASSERT_EQ(y[i], 2 * x[i]) << i;
  }
  EXPECT_GE(known, least);
}

TEST(KnownValues, RowsOfSampledProgramsComeBackWithTheirInputs) {
  const RowSubject one(kDoubled, kDouble);
  const RowValues rows = one.rows();
  expect_doubled(rows, 8 * kColumns);
  EXPECT_FALSE(rows.whole);
  EXPECT_FALSE(rows.incomplete);
  ASSERT_EQ(rows.rows.size(), 16u);  // eight, and some of them again
  EXPECT_TRUE(std::is_sorted(rows.rows.begin(), rows.rows.end()));
  EXPECT_LE(std::set<std::int64_t>(rows.rows.begin(), rows.rows.end()).size(), 8u);
  EXPECT_EQ(rows.inputs[0].sizes, (std::vector<std::int64_t>{16, kColumns}));
  const auto x = values(rows.inputs[0]);
  EXPECT_LT(*std::min_element(x.begin(), x.end()), 0);
  EXPECT_LE(*std::max_element(x.begin(), x.end()), 1.5);
  EXPECT_GT(std::set<double>(x.begin(), x.end()).size(), 8u * kColumns / 2) << "rows differ";
}

TEST(KnownValues, WhichRowsIsSecretAndInputsMayBePositive) {
  RowSubject one(kDoubled, kDouble);
  one.request.sample = kAllPrograms;
  const RowValues first = one.rows();
  expect_doubled(first, 16 * kColumns);
  EXPECT_TRUE(first.whole);
  one.request.rows->seed = 4;
  EXPECT_NE(one.rows().rows, first.rows);
  one.request.rows->positive = true;
  const RowValues positive = one.rows();
  expect_doubled(positive, 16 * kColumns);
  for (const double value : values(positive.inputs[0])) ASSERT_GE(value, 0);
}

TEST(KnownValues, AnOutputThatIsNotStoredWholeIsIncomplete) {
  RowSubject one(
      "        y = torch.empty_like(x)\n        double[(4095,)](x, y, x.numel(), COLUMNS=32)\n        return y\n",
      kDouble);
  EXPECT_FALSE(one.rows().incomplete) << "a sample says nothing of the others";
  one.request.sample = kAllPrograms;
  const RowValues rows = one.rows();
  EXPECT_TRUE(rows.whole);
  EXPECT_TRUE(rows.incomplete);
}

// torch's part before, between and behind launches is computed as far as it is known.
TEST(KnownValues, WhatTorchMakesOfKnownMemoryIsKnown) {
  const RowSubject before(
      "        y = torch.empty_like(x)\n        z = x + x\n        double[(4096,)](z, y, x.numel(), COLUMNS=32)\n"
      "        return y * 0.5\n",
      kDouble);
  const RowValues sampled = before.rows();
  EXPECT_EQ(sampled.unknown, "what the sampled programs store depends on others") << "torch reads all of y";
  RowSubject whole = before;
  whole.request.program = &whole.program;
  whole.request.sample = kAllPrograms;
  expect_doubled(whole.rows(), 16 * kColumns);
  whole.request.rows->torch_ms = 1e-6;
  EXPECT_EQ(whole.rows().unknown, "torch's part takes too long");
}

// A second launch that loads what only some programs of the first stored loads what is not right.
TEST(KnownValues, WhatALaunchMakesOfASampleIsUnknown) {
  RowSubject one(
      "        y = torch.empty_like(x)\n        z = torch.empty_like(x)\n"
      "        double[(4096,)](x, z, x.numel(), COLUMNS=32)\n"
      "        double[(4096,)](z, y, x.numel(), COLUMNS=32)\n        return y * 0.5\n",
      kDouble);
  EXPECT_EQ(one.rows().unknown, "what the sampled programs store depends on others");
  one.request.sample = kAllPrograms;
  expect_doubled(one.rows(), 16 * kColumns);
}

// Programs that add to one place know nothing of one another's part.
TEST(KnownValues, AtomicSumsOfASampleAreUnknown) {
  const std::string kernels = R"(
@triton.jit
def add(x, y, COLUMNS: tl.constexpr):
    row = tl.program_id(0) // 2
    offs = row * COLUMNS + tl.arange(0, COLUMNS)
    tl.atomic_add(y + offs, tl.load(x + offs))
)";
  RowSubject one("        y = torch.zeros_like(x)\n        add[(8192,)](x, y, COLUMNS=32)\n        return y\n",
                 kernels);
  EXPECT_EQ(one.rows().unknown, "what the sampled programs store depends on others");
  one.request.sample = kAllPrograms;
  expect_doubled(one.rows(), 16 * kColumns);
}

// Parameters are drawn as in any run; a draw that is not made takes all later ones along.
TEST(KnownValues, ParametersAreThoseOfTheSeed) {
  const std::string forward =
      "        y = torch.empty_like(x)\n        double[(4096,)](self.w, y, x.numel(), COLUMNS=32)\n        return y\n";
  RowSubject one(forward, kDouble, "torch.randn(4096, 32)", "self.w = torch.nn.Parameter(torch.rand(4096, 32))");
  one.request.seed = 11;
  const RowValues rows = one.rows();
  ASSERT_EQ(rows.unknown, "");
  RunRequest plain = one.request;
  plain.sample = 0;
  plain.rows.reset();
  plain.want_state = true;
  const RunOutcome real = test_runner().run(plain);
  ASSERT_EQ(real.kind, Kind::kCompleted) << real.message;
  const auto w = values(real.state.at(0)), y = values(rows.outputs[0]);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (rows.written[0][i] == 0) continue;
    const std::size_t row = static_cast<std::size_t>(rows.rows[i / kColumns]), column = i % kColumns;
    ASSERT_EQ(y[i], 2 * w[row * kColumns + column]) << i;
  }
  one.request.rows->torch_ms = 0.01;  // too many to draw
  EXPECT_EQ(one.rows().unknown, "what the sampled programs store depends on others");
}

TEST(KnownValues, OutputsThatAreLaidOutOtherwiseAreNotRead) {
  RowSubject one(
      "        y = torch.empty(32, 4096, device=x.device)\n"
      "        double[(4096,)](x, y, x.numel(), COLUMNS=32)\n        return y.t()\n",
      kDouble);
  EXPECT_EQ(one.rows().unknown, "an output is laid out otherwise");
}

TEST(KnownValues, ProgramsThatStoreNothingSayNothing) {
  const std::string kernels = R"(
@triton.jit
def double(x, y, n, COLUMNS: tl.constexpr):
    offs = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(y + offs, tl.load(x + offs) * 2.0, mask=offs > n)
)";
  EXPECT_NE(RowSubject(kDoubled, kernels).rows().unknown, "");
}

}  // namespace
}  // namespace tritonrl::runner
