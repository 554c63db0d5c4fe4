// Candidates that want our time or memory (tests/judge/denial); scripts/measure_denial.py has figures of all of them.
#include <gtest/gtest.h>

#include <chrono>

#include "base/files.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"

namespace tritonrl::judge {
namespace {

using record::VerdictKind;

std::string denial_file(const std::string& name) {
  return base::read_file(source_path("tests/judge/denial/" + name));
}

Submission denial_of(const std::string& candidate) {
  Submission out;
  out.id = out.name = candidate;
  out.code = denial_file(candidate);
  out.task = {.id = "task.py", .source = denial_file("task.py"), .entry_point = {}};
  return out;
}

struct Denial {
  const char* name;
  VerdictKind kind;
  const char* says;
};

class DenialTest : public ::testing::TestWithParam<Denial> {};

TEST_P(DenialTest, EndsInItsBudget) {
  const Submission one = denial_of(std::string("candidates/") + GetParam().name + ".py");
  const auto begin = std::chrono::steady_clock::now();
  const record::Verdict verdict = test_funnel().judge(one);
  // what ends well within its budget may run out of it on a busy machine
  const bool late = GetParam().kind == VerdictKind::kPassed && verdict.kind == VerdictKind::kTimeout;
  EXPECT_TRUE(late || verdict.kind == GetParam().kind) << to_string(verdict.kind) << ": " << verdict.message;
  EXPECT_NE(verdict.message.find(GetParam().says), std::string::npos) << verdict.message;
  const auto limit = std::chrono::milliseconds(test_judge_options().candidate_ms) + std::chrono::seconds(15);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, limit);
}

INSTANTIATE_TEST_SUITE_P(
    All, DenialTest,
    ::testing::Values(Denial{"many_specialisations", VerdictKind::kTimeout, "more than 256 different compilations"},
                      Denial{"many_kernels", VerdictKind::kTimeout, "more than 256 different compilations"},
                      Denial{"many_configs", VerdictKind::kPassed, ""},
                      Denial{"many_allocations", VerdictKind::kCrashed, "calls in one recording"},
                      Denial{"many_calls", VerdictKind::kCrashed, "calls in one recording"},
                      Denial{"many_brackets", VerdictKind::kCrashed, "the recording is larger"},
                      Denial{"loop_in_forward", VerdictKind::kTimeout, "while it was recorded"},
                      Denial{"sleep_at_small", VerdictKind::kTimeout, "at other sizes"},
                      Denial{"no_alarm", VerdictKind::kTimeout, "while it was recorded"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Denial, AKernelWithoutEndIsKnownInSeconds) {
  const record::Verdict verdict = test_funnel().judge(denial_of("candidates/endless_kernel.py"));
  if (verdict.kind == VerdictKind::kInfrastructure) GTEST_SKIP() << verdict.message;  // a machine without time
  ASSERT_EQ(verdict.kind, VerdictKind::kTimeout) << verdict.message;
  EXPECT_LT(verdict.ms.at("tiny"), 12'000);  // of the twenty seconds that a run has
}

TEST(Denial, ATextAsAnArgumentHasALimit) {
  const record::Verdict verdict =
      test_funnel().judge(denial_of("../adversarial/cheats/h6_long_text_for_the_compiler.py"));
  EXPECT_EQ(verdict.kind, VerdictKind::kCompileError);
  EXPECT_NE(verdict.message.find("a text of 20000000 characters"), std::string::npos) << verdict.message;
}

// What is out of bounds at the task's own sizes is not tried at others, which takes six seconds here.
TEST(Denial, AKernelOutOfBoundsIsKnownAtOnce) {
  Submission one = denial_of("../adversarial/cheats/h6_writes_out_of_bounds.py");
  one.task = {.id = "relu.py", .source = denial_file("../adversarial/tasks/relu.py"), .entry_point = {}};
  const record::Verdict verdict = test_funnel().judge(one);
  EXPECT_EQ(verdict.rule, "out_of_bounds") << verdict.message;
  EXPECT_LT(verdict.ms.at("tiny"), 3'000);
}

// One budget holds for every process of a candidate. What runs send back: RunAll.KeepsToABudgetOfMemory.
class MemoryTest : public ::testing::TestWithParam<Denial> {};

TEST_P(MemoryTest, IsLimitedWhereverItIsTaken) {
  JudgeOptions options = test_judge_options();
  options.candidate_mb = 512;
  Funnel funnel(test_funnel(), options);
  const record::Verdict verdict = funnel.judge(denial_of(std::string("candidates/") + GetParam().name + ".py"));
  EXPECT_EQ(verdict.kind, GetParam().kind) << to_string(verdict.kind) << ": " << verdict.message;
  EXPECT_NE(verdict.message.find(GetParam().says), std::string::npos) << verdict.message;
}

INSTANTIATE_TEST_SUITE_P(All, MemoryTest,
                         ::testing::Values(Denial{"memory_in_a_recording", VerdictKind::kCrashed, "memory"},
                                           Denial{"memory_in_the_compiler", VerdictKind::kCompileError, "memory"},
                                           Denial{"memory_in_a_run", VerdictKind::kCrashed, "memory"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Denial, AnHonestCandidateNeedsLessMemory) {
  JudgeOptions options = test_judge_options();
  options.candidate_mb = 512;
  Funnel funnel(test_funnel(), options);
  const record::Verdict verdict = funnel.judge(denial_of("../../../examples/kernels/softmax.py"));
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
}

// Of the real sizes some rows come back, and no whole tensors.
TEST(Denial, ATaskMayBeLargerThanTheBudget) {
  JudgeOptions options = test_judge_options();
  options.candidate_mb = 512;
  Funnel funnel(test_funnel(), options);
  Submission submission = denial_of("../../../examples/kernels/softmax.py");
  submission.task.source =
      "import torch\nROWS = 16384\nCOLUMNS = 16384\n"
      "class Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.softmax(x, dim=1)\n"
      "def get_inputs():\n    return [torch.rand(ROWS, COLUMNS)]\n";
  const record::Verdict verdict = funnel.judge(submission);
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
}

TEST(Denial, TheTimeOfAllStagesIsLimited) {
  JudgeOptions options = test_judge_options();
  options.candidate_ms = 1;
  Funnel funnel(test_funnel(), options);
  EXPECT_EQ(funnel.judge(denial_of("../../../examples/kernels/softmax.py")).kind, VerdictKind::kTimeout);
}

}  // namespace
}  // namespace tritonrl::judge
