// Forwards in float64: more exact than the recorded types, on the same parameters and inputs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "runner/runner.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using Kind = RunOutcome::Kind;

std::string task(const std::string& init, const std::string& forward, const std::string& inputs) {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nclass Model(nn.Module):\n    def "
         "__init__(self):\n        super().__init__()\n        " +
         init + "\n    def forward(self, x):\n        " + forward + "\ndef get_inputs():\n    return [" + inputs +
         "]\n";
}

RunOutcome oracle(const program::Program& program, RunRequest request = {}) {
  request.program = &program;
  request.oracle = true;
  return test_runner().run(request);
}

TEST(Oracle, KeepsWhatTheRecordedTypeLoses) {
  const program::Program program =
      record_task(task("pass", "y = x + 1e-6; return (y - x), y.sum(), y > x, x.argmax()", "torch.full((4,), 64.0)"));
  RunRequest request;
  request.program = &program;
  const RunOutcome narrow = test_runner().run(request), wide = oracle(program);
  ASSERT_EQ(narrow.kind, Kind::kCompleted) << narrow.message;
  ASSERT_EQ(wide.kind, Kind::kCompleted) << wide.message;
  EXPECT_EQ(values(narrow.forwards[0].outputs[0]), std::vector<double>(4, 0));
  const auto& outputs = wide.forwards.at(0).outputs;
  EXPECT_EQ(outputs.at(0).dtype, program::DType::kFloat64);
  for (const double value : values(outputs[0])) EXPECT_NEAR(value, 1e-6, 1e-12);
  EXPECT_NEAR(values(outputs[1]).at(0), 256 + 4e-6, 1e-10);
  EXPECT_EQ(outputs[2].dtype, program::DType::kBool);
  EXPECT_EQ(values(outputs[2]), std::vector<double>(4, 1));
  EXPECT_EQ(outputs[3].dtype, program::DType::kInt64);
}

TEST(Oracle, AgreesWithTheRecordedTypesUpToTheirRounding) {
  const struct {
    const char *init, *forward, *inputs;
  } cases[] = {
      {"self.l = nn.Linear(32, 32)", "return F.gelu(self.l(x)).softmax(-1)", "torch.rand(8, 32)"},
      {"self.c = nn.Conv2d(3, 8, 3, padding=1); self.n = nn.BatchNorm2d(8)",
       "return F.max_pool2d(self.n(self.c(x)).relu(), 2)", "torch.rand(2, 3, 8, 8)"},
      {"self.l = nn.LSTM(8, 16, batch_first=True)", "return self.l(x)[0]", "torch.rand(2, 5, 8)"},
      {"self.n = nn.LayerNorm(16)", "y = self.n(x); return (y @ x.transpose(-1, -2)).softmax(-1) @ x",
       "torch.rand(2, 4, 6, 16)"},
      {"self.l = nn.Linear(16, 16).half()", "return self.l(x.half()).float() + torch.arange(16, device=x.device) / 3",
       "torch.rand(4, 16)"},
      {"self.l = nn.Linear(16, 16).bfloat16()",
       "return torch.cat([self.l(x.to(torch.bfloat16)), torch.zeros(4, 2, dtype=torch.bfloat16, device=x.device)], 1)",
       "torch.rand(4, 16)"},
      {"self.d = nn.Dropout(0.5); self.eval()",
       "return self.d(x) + torch.ones(3, device=x.device) * torch.tensor([1.5, 2.5, 3.5], device=x.device)",
       "torch.rand(4, 3)"},
      {"self.register_buffer('seen', torch.zeros(3))",
       "self.seen += x.sum(0); y = torch.empty_like(x); torch.mul(x, 2, out=y); return y, self.seen",
       "torch.rand(4, 3)"},
      {"self.e = nn.Embedding(10, 4)", "return self.e(x).mean(1), x + 1", "torch.randint(0, 10, (3, 5))"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.forward);
    const program::Program program = record_task(task(one.init, one.forward, one.inputs));
    RunRequest request;
    request.program = &program;
    request.seed = 5;
    const RunOutcome narrow = test_runner().run(request), wide = oracle(program, request);
    ASSERT_EQ(narrow.kind, Kind::kCompleted) << narrow.message;
    ASSERT_EQ(wide.kind, Kind::kCompleted) << to_string(wide.kind) << ": " << wide.message;
    for (std::size_t i = 0; i < narrow.forwards[0].outputs.size(); ++i) {
      const TensorData& recorded = narrow.forwards[0].outputs[i];
      const TensorData& exact = wide.forwards.at(0).outputs.at(i);
      const bool rounded = recorded.dtype != exact.dtype;
      EXPECT_EQ(rounded, program::is_floating(recorded.dtype));
      EXPECT_EQ(exact.sizes, recorded.sizes);
      const double tolerance = !rounded ? 0 : recorded.dtype == program::DType::kBFloat16 ? 2e-2 : 2e-3;
      const auto a = values(recorded), b = values(exact);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], tolerance) << "output " << i;
    }
  }
}

TEST(Oracle, TakesGivenInputsAndStartsEachForwardAnew) {
  const program::Program program = record_task(task("self.register_buffer('count', torch.zeros(1))",
                                                    "self.count += 1; return x * 3 + self.count", "torch.rand(2)"),
                                               0, 2);
  RunRequest request;
  const std::vector<float> x = {0.1f, 7};
  request.inputs = {{0, {std::string(reinterpret_cast<const char*>(x.data()), 8)}}};
  request.want_inputs = request.want_state = true;
  request.forwards = {0, 1, 0};
  const RunOutcome outcome = oracle(program, request);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  ASSERT_EQ(outcome.forwards.size(), 3u);
  EXPECT_EQ(values(outcome.forwards[0].outputs[0]), (std::vector<double>{double{0.1f} * 3 + 1, 22}));
  EXPECT_EQ(outcome.forwards[2].outputs[0].bytes, outcome.forwards[0].outputs[0].bytes);
  EXPECT_EQ(outcome.forwards[0].inputs[0].dtype, program::DType::kFloat32);
  EXPECT_EQ(outcome.state.at(0).dtype, program::DType::kFloat32);
  EXPECT_EQ(values(outcome.state[0]), std::vector<double>{0});
}

TEST(Oracle, SaysWhatCannotBeWidened) {
  const auto refused = [](const std::string& forward, const std::string& word) {
    const program::Program program = record_task(task("pass", forward, "torch.rand(4, 4)"));
    const RunOutcome outcome = oracle(program);
    EXPECT_EQ(outcome.kind, Kind::kNotExecutable) << forward << ": " << outcome.message;
    EXPECT_NE(outcome.message.find(word), std::string::npos) << outcome.message;
  };
  refused("return torch.fft.fft(x).real", "complex");
  refused("return (x.view(torch.int32) + 1).view(torch.float32)", "several types");
  refused("return x + torch.rand(4, device=x.device)", "random");
  refused("return F.dropout(x, 0.5, True)", "random");
}

TEST(Oracle, OneRunDoesNotChangeTheNext) {
  const program::Program program =
      record_task(task("pass", "return x + torch.ones(4, device=x.device)", "torch.rand(4)"));
  RunRequest plain, wide;
  plain.program = wide.program = &program;
  wide.oracle = true;
  const std::vector<RunRequest> requests = {plain, wide, plain};
  const auto outcomes = test_runner().run_all(requests);
  for (const RunOutcome& outcome : outcomes) ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  EXPECT_EQ(outcomes[0].forwards[0].outputs[0].bytes, outcomes[2].forwards[0].outputs[0].bytes);
}

}  // namespace
}  // namespace tritonrl::runner
