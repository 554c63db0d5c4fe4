#include "judge/funnel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"

namespace tritonrl::judge {
namespace {

using record::Stage;
using record::VariationResult;
using record::VerdictKind;

std::string text_of(const std::string& name) {
  std::ifstream in(source_path(name), std::ios::binary);
  EXPECT_TRUE(in) << name;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

const std::string kSuite = "tests/judge/adversarial/";

Submission submission(const std::string& candidate, const std::string& task) {
  Submission out;
  out.id = out.name = candidate;
  out.code = text_of(kSuite + candidate);
  out.task = {.id = task, .source = text_of(kSuite + "tasks/" + task), .entry_point = {}};
  return out;
}

record::Verdict judged(const JudgeOptions& options, const Submission& one) {
  Funnel funnel(test_funnel(), options);
  return funnel.judge(one);
}

std::string status(const record::Verdict& verdict, const std::string& variation) {
  for (const VariationResult& one : verdict.variations) {
    if (one.name == variation) return std::string(to_string(one.status));
  }
  return "none";
}

TEST(Funnel, APassedCandidateHasAllOfTheContract) {
  const record::Verdict verdict = test_funnel().judge(submission("honest/relu_plain.py", "relu.py"));
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
  EXPECT_EQ(verdict.stage, Stage::kTiming);
  for (const char* variation : {"original", "scaled", "seed", "shape", "dtype", "signed"})
    EXPECT_EQ(status(verdict, variation), "passed") << variation;
  EXPECT_EQ(status(verdict, "parameters"), "not_applicable");
  ASSERT_TRUE(verdict.timing);
  EXPECT_FALSE(verdict.timing->measured);
  EXPECT_GT(verdict.timing->speedup, 0.3);
  EXPECT_EQ(verdict.work_share, 1.0);
  EXPECT_GE(*verdict.reward, 0.7);
  EXPECT_EQ(verdict.code_reward, 1.0);
  for (const char* stage : {"ast", "compile", "tiny", "full", "timing"})
    EXPECT_TRUE(verdict.ms.contains(stage)) << stage;
}

TEST(Funnel, AResultLeftOnTheHostIsWrong) {
  Submission one = submission("honest/relu_plain.py", "relu.py");
  const std::string returned = "return y";
  const std::size_t at = one.code.rfind(returned);
  ASSERT_NE(at, std::string::npos);
  one.code.replace(at, returned.size(), "return y.cpu()");
  const record::Verdict verdict = test_funnel().judge(one);
  EXPECT_EQ(verdict.kind, VerdictKind::kWrong);
  EXPECT_EQ(verdict.rule, "output_place") << verdict.message;
  EXPECT_GE(*verdict.reward, 0.3);
}

TEST(Funnel, AnAnswerIsExtractedFirst) {
  Submission one = submission("honest/relu_plain.py", "relu.py");
  one.take_answer("Here it is:\n```python\n" + one.code + "```\n");
  EXPECT_EQ(test_funnel().judge(one).kind, VerdictKind::kPassed);
  one.take_answer("I would rather not.");
  const record::Verdict none = test_funnel().judge(one);
  EXPECT_EQ(none.kind, VerdictKind::kNoCode);
  EXPECT_EQ(none.stage, Stage::kExtract);
  EXPECT_EQ(none.reward, 0.0);
}

TEST(Funnel, PolicyStrictRefusesArithmeticOutsideKernels) {
  JudgeOptions options = test_judge_options();
  options.policy = "strict";
  EXPECT_EQ(judged(options, submission("honest/relu_plain.py", "relu.py")).kind, VerdictKind::kPassed);
  const record::Verdict mixed =
      judged(options, submission("honest/batch_norm_statistics_in_torch.py", "batch_norm.py"));
  EXPECT_EQ(mixed.kind, VerdictKind::kCheated);
  EXPECT_EQ(mixed.rule, "strict");
  ASSERT_TRUE(mixed.at);
  EXPECT_GT(mixed.at->line, 0);
}

TEST(Funnel, TrainingMayAskForAShareOfTheWork) {
  JudgeOptions options = test_judge_options();
  const Submission one = submission("honest/batch_norm_statistics_in_torch.py", "batch_norm.py");
  const record::Verdict verdict = judged(options, one);
  ASSERT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
  EXPECT_LT(*verdict.work_share, 0.95);
  options.min_work_share = 0.95;
  const record::Verdict refused = judged(options, one);
  EXPECT_EQ(refused.kind, VerdictKind::kCheated);
  EXPECT_EQ(refused.rule, "work_share");
  EXPECT_EQ(refused.reward, 0.0);
}

TEST(Funnel, TheReportsOptionsChooseWhatRuns) {
  const Submission one = submission("honest/relu_plain.py", "relu.py");
  JudgeOptions options = test_judge_options();
  options.enable_multi_input = false;
  const record::Verdict single = judged(options, one);
  EXPECT_EQ(single.variations.size(), 1U);
  options = test_judge_options();
  options.multi_input_shape_variations = false;
  EXPECT_EQ(status(judged(options, one), "shape"), "none");
  options = test_judge_options();
  options.multi_input_value_variations = false;
  const record::Verdict shapes = judged(options, one);
  EXPECT_EQ(status(shapes, "scaled"), "none");
  EXPECT_EQ(status(shapes, "shape"), "passed");
  options = test_judge_options();
  options.multi_input_num_tests = 2;
  const record::Verdict two = judged(options, one);
  EXPECT_EQ(status(two, "scaled"), "passed");
  EXPECT_EQ(status(two, "seed"), "none");
  options = test_judge_options();
  options.enable_calibrated_timing = false;
  const record::Verdict untimed = judged(options, one);
  EXPECT_FALSE(untimed.timing);
  EXPECT_EQ(untimed.reward, 0.7);
  options = test_judge_options();
  options.enable_staged_eval = false;
  EXPECT_FALSE(judged(options, one).ms.contains("tiny"));
}

TEST(Funnel, AFailureSaysWhereAndWhatToChange) {
  Submission one = submission("cheats/d10_no_tail_mask.py", "relu.py");
  const std::string load = "tl.load(x_ptr + at";
  one.code.replace(one.code.find(load), load.size(), load + " + 512");
  const record::Verdict verdict = test_funnel().judge(one);
  EXPECT_EQ(verdict.kind, VerdictKind::kCrashed);
  EXPECT_EQ(verdict.rule, "out_of_bounds");
  ASSERT_TRUE(verdict.at);
  EXPECT_NE(verdict.at->code.find("tl.load"), std::string::npos);
  EXPECT_FALSE(verdict.advice.empty());
  EXPECT_GT(*verdict.reward, 0.3);
  EXPECT_LT(*verdict.reward, 0.5);
}

TEST(Funnel, TheReferenceAgainstItself) {
  Submission one = submission("honest/relu_plain.py", "softmax.py");
  one.code.clear();
  one.reference_itself = true;
  const record::Verdict verdict = test_funnel().judge(one);
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
  EXPECT_EQ(verdict.timing->speedup, 1.0);
}

TEST(Funnel, DegenerateOutputsAreNoted) {
  Submission one;
  one.id = "zero";
  one.reference_itself = true;
  one.task.id = "zero.py";
  one.task.source =
      "import torch\nN = 4096\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.clamp(x, "
      "0, 0)\n"
      "def get_inputs():\n    return [torch.rand(N, N)]\ndef get_init_inputs():\n    return []\n";
  const record::Verdict verdict = test_funnel().judge(one);
  ASSERT_FALSE(verdict.notes.empty());
  EXPECT_EQ(verdict.notes.front(), "degenerate: the reference's output 0 is zero");
}

TEST(Funnel, AConstantAnswerIsToldAndRefusesNobody) {
  const record::Verdict verdict =
      test_funnel().judge(submission("honest/constant_answer_in_a_kernel.py", "constant_answer.py"));
  EXPECT_EQ(verdict.kind, VerdictKind::kPassed) << verdict.message;
  EXPECT_EQ(verdict.degenerate, "the reference's answer is the same whatever the inputs: 1");
  EXPECT_EQ(test_funnel().judge(submission("honest/relu_plain.py", "relu.py")).degenerate, "");
}

TEST(Funnel, AKernelWithoutMasksIsRightAtTheTasksOwnSizes) {
  const Submission one = submission("honest/relu_without_masks.py", "relu.py");
  const record::Verdict own = test_funnel().judge(one);
  EXPECT_EQ(own.kind, VerdictKind::kPassed) << own.message;
  EXPECT_EQ(own.sizes, "own");
  EXPECT_EQ(status(own, "shape"), "not_applicable");
  EXPECT_NE(std::find(own.unseen.begin(), own.unseen.end(), "other_sizes"), own.unseen.end());
  JudgeOptions general = test_judge_options();
  general.require_general = true;
  const record::Verdict refused = judged(general, one);
  EXPECT_EQ(refused.kind, VerdictKind::kWrong);
  EXPECT_EQ(refused.rule, "fails_off_shape");
  const record::Verdict all = judged(general, submission("honest/relu_plain.py", "relu.py"));
  EXPECT_EQ(all.kind, VerdictKind::kPassed) << all.message;
  EXPECT_EQ(all.sizes, "all");
}

// What we cannot judge is never called wrong, whatever the candidate.
TEST(Funnel, ATaskWithoutASizeThatCanBeComputedIsUnjudged) {
  Submission one = submission("honest/relu_plain.py", "relu.py");
  const auto expect_unjudged = [&](const char* why) {
    for (const std::string& code : {text_of(kSuite + "honest/relu_plain.py"), std::string("no Python at all")}) {
      one.code = code;
      const record::Verdict verdict = test_funnel().judge(one);
      EXPECT_EQ(to_string(verdict.kind), "unjudged") << verdict.message;
      EXPECT_EQ(verdict.rule, "");
      EXPECT_FALSE(verdict.reward);
      EXPECT_NE(verdict.message.find(why), std::string::npos) << verdict.message;
      EXPECT_FALSE(verdict.advice.empty());
    }
  };
  // sizes that are no constants, so that no others can be tried
  one.task.source =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
      "def get_inputs():\n    return [torch.rand(int('40000'), int('40000'))]\ndef get_init_inputs():\n    return []\n";
  expect_unjudged("small enough");
  // a table that becomes smaller than the numbers of its rows: no recording, which has no values, shows it
  one.task.source =
      "import torch\nROWS = 20000\nclass Model(torch.nn.Module):\n    def __init__(self, rows):\n"
      "        super().__init__()\n        self.table = torch.nn.Embedding(rows, 8192)\n"
      "    def forward(self, ids):\n        return torch.relu(self.table(ids))\n"
      "def get_inputs():\n    return [torch.full((int('4'),), int('19999'))]\n"
      "def get_init_inputs():\n    return [ROWS]\n";
  expect_unjudged("the reference");
}

TEST(Funnel, ATaskThatCannotBeUsedIsTheUsersToFix) {
  Submission one = submission("honest/relu_plain.py", "relu.py");
  one.task.source = "N = 4\n";
  EXPECT_THROW(test_funnel().judge(one), base::UserError);
  one.task.source = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n";
  EXPECT_THROW(test_funnel().judge(one), base::UserError);
}

}  // namespace
}  // namespace tritonrl::judge
