#include "cli/verdict_text.h"

#include <gtest/gtest.h>

#include "cli/candidate_file.h"

namespace tritonrl::cli {
namespace {

record::Verdict wrong() {
  record::Verdict verdict;
  verdict.kind = record::VerdictKind::kWrong;
  verdict.stage = record::Stage::kFull;
  verdict.rule = "fails_off_shape";
  verdict.message = "first line\nsecond line";
  verdict.reward = 0.58;
  verdict.at = record::SourcePlace{"kernel.py", 12, "tl.store(p, x)"};
  verdict.expected = "1.5";
  verdict.got = "-1.5";
  verdict.advice = "mask the store";
  verdict.variations = {{"original", record::VariationResult::Status::kPassed, 1e-6, ""},
                        {"shape", record::VariationResult::Status::kFailed, 0.3, "element 7"}};
  verdict.checks = {{"copies", true, ""}, {"work", false, "more than\nthe reference"}};
  verdict.ms = {{"ast", 1.5}};
  verdict.judge_version = "1";
  return verdict;
}

TEST(VerdictText, ASummarySaysWhatWhyAndWhatToDo) {
  EXPECT_EQ(summary_text(wrong()),
            "wrong: the results are wrong (stage full, rule fails_off_shape)\n"
            "  first line\n"
            "  second line\n"
            "  at kernel.py:12\n"
            "      tl.store(p, x)\n"
            "  expected 1.5, got -1.5\n"
            "  to change: mask the store\n"
            "inputs: original, shape FAILED\n"
            "reward 0.580; policy kernelbench, backend cpu, judge 1, 2 ms\n");
}

TEST(VerdictText, ASummaryOfSuccessHasTheSpeed) {
  record::Verdict verdict;
  verdict.kind = record::VerdictKind::kPassed;
  verdict.reward = 0.955;
  verdict.work_share = 0.5;
  verdict.timing = record::Timing{false, 1.7, 0, 17, 10, "h200"};
  verdict.judge_version = "1";
  EXPECT_EQ(summary_text(verdict),
            "passed: right on every input that was tried\n"
            "modelled on h200: speed-up 1.70 (reference 17.0 us, candidate 10.0 us)\n"
            "reward 0.955, kernels do 50 % of the work; policy kernelbench, backend cpu, judge 1, 0 ms\n");
}

TEST(VerdictText, AnExplanationHasEveryCheckAndInput) {
  const std::string text = explanation_text(wrong());
  for (const char* part : {"  ok      copies\n", "  FAILED  work: more than\n          the reference\n",
                           "  original        passed         largest error 1e-06\n",
                           "  shape           failed         largest error 0.3; element 7\n",
                           "What to change\n  mask the store\n", "last stage: full", "  ast took 1.5 ms\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
  }
}

TEST(VerdictText, ALiveRunAndTorchCompileAreTold) {
  record::Verdict verdict;
  verdict.kind = record::VerdictKind::kPassed;
  verdict.timing = record::Timing{true, 1.25, 0.01, 17, 10, "h200"};
  verdict.timing->baseline = "compile";
  verdict.timing->compile_us = 12.5;
  verdict.live = record::LiveResult{true, 20, 30, 1.5, 1e-6, ""};
  const std::string text = explanation_text(verdict);
  for (const char* part :
       {"torch.compile 12.5 us; over torch.compile)\n",
        "  live: agrees with its recording, largest error 1e-06, speed-up 1.50 as called from Python "
        "(reference 30.0 us, candidate 20.0 us)\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
  }
  verdict.live = record::LiveResult{false, {}, {}, {}, {}, "raised"};
  EXPECT_NE(summary_text(verdict).find("live: DIFFERS from its recording; raised\n"), std::string::npos);
}

TEST(VerdictText, AnEmptyVerdictIsNoTrouble) {
  EXPECT_NE(summary_text({}).find("infrastructure"), std::string::npos);
  EXPECT_NE(explanation_text({}).find("reward none"), std::string::npos);
}

TEST(CandidateFile, AnswersAndCode) {
  const std::string code = "class ModelNew:\n    pass\n";
  const std::string fenced = "Here:\n```python\n" + code + "```\n";
  const std::string docstring = "\"\"\"Use it so:\n```python\nModelNew()\n```\n\"\"\"\n" + code;
  EXPECT_FALSE(is_answer("k.py", code));
  EXPECT_TRUE(is_answer("k.py", fenced));
  EXPECT_FALSE(is_answer("k.py", docstring));
  EXPECT_FALSE(is_answer("-", code));
  EXPECT_TRUE(is_answer("-", fenced));
  EXPECT_TRUE(is_answer("answer.md", "I would rather not."));
  EXPECT_FALSE(is_answer("k.py", ""));
}

}  // namespace
}  // namespace tritonrl::cli
