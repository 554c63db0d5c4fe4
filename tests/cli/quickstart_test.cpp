// What `tritonrl quickstart` does, and what it says of what came out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "cli/quickstart_steps.h"
#include "cli/quickstart_summary.h"
#include "record/evaluation.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

QuickstartPlan plan() {
  return {.folder = "q", .config = "q/quickstart.toml", .model = "m", .module = "my/block.py", .gpu_steps = 300};
}

bool has(const QuickstartStep& step, const std::vector<std::string>& words) {
  return std::ranges::search(step.words, words).begin() != step.words.end();
}

TEST(QuickstartSteps, EachBeginsWithWhatTheOneBeforeLeft) {
  const std::vector<QuickstartStep> steps = quickstart_steps(plan());
  std::vector<std::string> verbs;
  for (const QuickstartStep& step : steps) verbs.push_back(step.words.front());
  EXPECT_EQ(verbs, (std::vector<std::string>{"prepare", "eval", "sft", "eval", "rl", "eval", "optimize", "report"}));
  for (const QuickstartStep& step : steps) {
    if (step.words.front() != "report") {
      EXPECT_TRUE(has(step, {"--config", "q/quickstart.toml"})) << step.title;
    }
  }
  for (const std::size_t i : {1, 3, 5}) {
    EXPECT_TRUE(has(steps[i], {"--tasks", "q/data"}));
    EXPECT_TRUE(has(steps[i], {"--out", steps[i].done}));
  }
  EXPECT_TRUE(has(steps[1], {"--model", "m"}));
  EXPECT_TRUE(has(steps[2], {"--model", "m", "--data", "q/data/sft_train.jsonl"}));
  EXPECT_TRUE(has(steps[3], {"--model", steps[2].done}));
  EXPECT_TRUE(has(steps[4], {"--model", steps[2].done}));
  EXPECT_TRUE(has(steps[5], {"--model", steps[4].done}));
  EXPECT_TRUE(has(steps[6], {"optimize", "my/block.py"}));
  EXPECT_TRUE(has(steps[7], {"--eval", "q/eval_base.json", "--eval", "q/eval_sft.json", "--eval", "q/eval_rl.json"}));
}

TEST(QuickstartSteps, AGpuTrainsLongerAndMeasures) {
  QuickstartPlan with = plan();
  with.gpu = true;
  const std::vector<QuickstartStep> without_gpu = quickstart_steps(plan()), steps = quickstart_steps(with);
  EXPECT_TRUE(has(steps[2], {"--steps", "300"}));
  EXPECT_TRUE(has(steps[6], {"--device", "cuda"}));
  EXPECT_FALSE(has(without_gpu[2], {"--steps"}));
  EXPECT_FALSE(has(without_gpu[6], {"--device"}));
}

// Evaluations of a hundred tasks, of which the first `right` are solved.
class Summary : public ::testing::Test {
 protected:
  Summary() { fs::create_directories(folder_); }
  ~Summary() override { fs::remove_all(folder_); }
  fs::path evaluation(const std::string& name, int right) const {
    Json results = Json::array();
    for (int i = 0; i < 100; ++i) {
      record::SampleResult one;
      one.id = "task/" + std::to_string(i);
      one.kind = i < right ? record::VerdictKind::kPassed : record::VerdictKind::kWrong;
      one.reward = i < right ? 1 : 0;
      results.push_back(base::to_json(one));
    }
    const Json metrics = {{"rates_of", "sample 0"},
                          {"correct_rate", right / 100.0},
                          {"intervals", {{"correct_rate", Json::Array{0.0, 1.0}}}}};
    const fs::path path = folder_ / name;
    base::write_file_atomically(path, Json{{"model_path", name},
                                           {"judge_version", "12"},
                                           {"timing", "modelled"},
                                           {"num_tasks", 100},
                                           {"metrics", metrics},
                                           {"options", Json::object()},
                                           {"detailed_results", std::move(results)}}
                                          .dump());
    return path;
  }
  std::string said(int base, int sft, int rl) const {
    const std::vector<fs::path> files = {evaluation("a.json", base), evaluation("b.json", sft),
                                         evaluation("c.json", rl)};
    return quickstart_summary(files);
  }
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("tritonrl_quickstart_" + std::to_string(::getpid()));
};

TEST_F(Summary, CallsALossALossAndChanceChance) {
  const std::string text = said(30, 50, 49);
  EXPECT_NE(text.find("20 tasks won, 0 lost, p = 1.9e-06: better, and hardly by chance"), std::string::npos) << text;
  EXPECT_NE(text.find("0 tasks won, 1 lost, p = 1: no difference that so many tasks can show"), std::string::npos)
      << text;
  EXPECT_NE(said(30, 10, 10).find("0 tasks won, 20 lost, p = 1.9e-06: worse, and hardly by chance"), std::string::npos);
  EXPECT_NE(said(30, 30, 30).find("0 tasks won, 0 lost, p = 1: no difference"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::cli
