#include "evaluate/kernelbench_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

SampleResult result(const std::string& id, int index, record::VerdictKind kind, double speedup = 0) {
  SampleResult out;
  out.id = id;
  out.index = index;
  out.kind = kind;
  out.stage = record::Stage::kTiming;
  out.reward = 0.5;
  out.judge_version = "test";
  if (speedup > 0) {
    out.speedup = speedup;
    out.candidate_us = 2000;
    out.baseline_us = 2000 * speedup;
  }
  return out;
}

TEST(KernelBenchFiles, HoldWhatItsAnalysisReads) {
  using Kind = record::VerdictKind;
  SampleResult unjudged = result("kernelbench/level1/7_Other", 0, Kind::kInfrastructure);
  unjudged.reward.reset();
  SampleResult greedy = result("kernelbench/level2/3_Gemm", 0, Kind::kPassed, 1.5);
  greedy.greedy = true;
  const std::vector<SampleResult> results = {result("kernelbench/level1/23_Softmax", 0, Kind::kWrong),
                                             result("kernelbench/level1/23_Softmax", 1, Kind::kPassed, 3),
                                             result("kernelbench/level1/19_ReLU", 0, Kind::kWrong),
                                             unjudged,
                                             greedy,
                                             result("kernelbench/level2/3_Gemm", 0, Kind::kNoCode)};
  const base::ScratchFolder folder;
  EXPECT_EQ(write_kernelbench_files(folder.path(), "run", results).size(), 7u);
  const auto read = [&](const std::string& name) { return Json::parse(base::read_file(folder.path(name))); };
  const Json first = read("run_level1/eval_results.json");
  ASSERT_EQ(first.size(), 2u) << first.dump();
  const Json& softmax = first.at("23");
  ASSERT_EQ(softmax.size(), 2u);
  EXPECT_EQ(softmax[0].at("sample_id").integer(), 0);
  EXPECT_FALSE(softmax[0].at("correctness").boolean());
  EXPECT_TRUE(softmax[0].at("compiled").boolean());
  EXPECT_EQ(softmax[0].at("runtime").real(), -1);
  EXPECT_EQ(softmax[1].at("runtime").real(), 2);
  // the greedy answer is the first, and no sample is lost
  const Json gemm = read("run_level2/eval_results.json").at("3");
  ASSERT_EQ(gemm.size(), 2u);
  EXPECT_TRUE(gemm[0].at("correctness").boolean());
  EXPECT_FALSE(gemm[1].at("compiled").boolean());
  const Json baseline = read("run_baseline.json");
  EXPECT_EQ(baseline.at("level1").at("23_Softmax.py").at("mean").real(), 6) << "of the sample that was timed";
  EXPECT_EQ(baseline.at("level1").at("19_ReLU.py").at("mean").real(), -1);
  EXPECT_FALSE(baseline.at("level1").contains("7_Other.py"));
  EXPECT_EQ(baseline.at("level2").at("3_Gemm.py").at("mean").real(), 3);
  EXPECT_EQ(read("run_level1/pass_at_k_results.json").at("averages").at("avg_pass@1").real(), 0.25);
}

TEST(KernelBenchFiles, OtherTasksAreRefused) {
  const std::vector<SampleResult> results = {result("modules/softmax.py", 0, record::VerdictKind::kPassed, 2)};
  EXPECT_THROW(write_kernelbench_files("/nonexistent", "run", results), base::UserError);
}

}  // namespace
}  // namespace tritonrl::evaluate
