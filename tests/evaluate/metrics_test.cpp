#include "evaluate/metrics.h"

#include <cmath>

#include "base/statistics.h"
#include "evaluate/report.h"
#include "record/evaluation.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;
using record::Stage;
using record::VerdictKind;

SampleResult result(const std::string& id, int index, VerdictKind kind, Stage stage, double speedup = 0) {
  SampleResult out;
  out.id = id;
  out.level = 1;
  out.index = index;
  out.kind = kind;
  out.stage = stage;
  out.reward = 0.5;
  if (!is_judged(kind)) out.reward.reset();
  if (kind == VerdictKind::kPassed) out.speedup = speedup;
  out.program = kind == VerdictKind::kNoCode ? "" : std::to_string(stage == Stage::kTiming ? speedup : index);
  return out;
}

void expect_rate(const Json& metrics, const std::string& name, double successes, int trials) {
  EXPECT_DOUBLE_EQ(metrics.at(name).real(), successes / trials) << name;
  const base::Interval interval = base::wilson_interval(successes, trials);
  EXPECT_DOUBLE_EQ(metrics.at("intervals").at(name).at(0).real(), interval.low) << name;
  EXPECT_DOUBLE_EQ(metrics.at("intervals").at(name).at(1).real(), interval.high) << name;
}

// Five tasks that were judged and two that were not, by hand.
TEST(EvaluationMetrics, AreRatesOfTasksByTheirFirstAnswer) {
  std::vector<SampleResult> results = {
      result("a", 0, VerdictKind::kPassed, Stage::kTiming, 2.5),
      result("b", 0, VerdictKind::kPassed, Stage::kTiming, 1.1),
      result("c", 0, VerdictKind::kWrong, Stage::kFull),
      result("d", 0, VerdictKind::kCompileError, Stage::kCompile),
      result("e", 0, VerdictKind::kNoCode, Stage::kExtract),
      result("f", 0, VerdictKind::kInfrastructure, Stage::kTiny),
      result("g", 0, VerdictKind::kUnjudged, Stage::kExtract),
  };
  const Json metrics = evaluation_metrics(results);
  EXPECT_EQ(metrics.at("num_tasks").integer(), 7);
  EXPECT_EQ(metrics.at("not_judged").integer(), 2);
  EXPECT_EQ(metrics.at("unjudged").integer(), 1);
  EXPECT_EQ(metrics.at("rates_of").text(), "first sample");
  expect_rate(metrics, "valid_rate", 4, 5);
  expect_rate(metrics, "compiled_rate", 3, 5);
  expect_rate(metrics, "correct_rate", 2, 5);
  expect_rate(metrics, "fast_1", 2, 5);
  expect_rate(metrics, "fast_1.2", 1, 5);
  expect_rate(metrics, "fast_2", 1, 5);
  expect_rate(metrics, "pass@1", 2, 5);
  EXPECT_DOUBLE_EQ(metrics.at("geometric_mean_speedup").real(), std::sqrt(2.5 * 1.1));
  EXPECT_DOUBLE_EQ(metrics.at("median_speedup").real(), 1.8);
  EXPECT_EQ(metrics.at("outcomes"),
            Json::parse(R"({"passed":2,"wrong":1,"compile_error":1,"extraction":1,"infrastructure":1,"unjudged":1})"));
  EXPECT_FALSE(metrics.contains("best_of_samples"));
  EXPECT_EQ(timing_of(results), "modelled");
}

// Of a task's answers those that the judge looked at know that it is degenerate.
TEST(EvaluationMetrics, ATaskIsDegenerateIfOneOfItsAnswersSaysSo) {
  std::vector<SampleResult> results = {
      result("a", 0, VerdictKind::kNoCode, Stage::kExtract),
      result("a", 1, VerdictKind::kPassed, Stage::kTiming, 2),
      result("b", 0, VerdictKind::kWrong, Stage::kFull),
  };
  record::Verdict verdict;
  verdict.kind = VerdictKind::kPassed;
  verdict.degenerate = "its answer is the same whatever the inputs";
  results[1].take(verdict);
  const Json metrics = evaluation_metrics(results);
  EXPECT_EQ(metrics.at("num_tasks").integer(), 1);
  expect_rate(metrics, "correct_rate", 0, 1);
  EXPECT_EQ(metrics.at("degenerate").at("num_tasks").integer(), 1);
  EXPECT_EQ(metrics.at("with_degenerate").at("num_tasks").integer(), 2);
}

TEST(EvaluationMetrics, ExactlyAsFastIsNotFaster) {
  const std::vector<SampleResult> results = {result("a", 0, VerdictKind::kPassed, Stage::kTiming, 1.0)};
  expect_rate(evaluation_metrics(results), "fast_1", 0, 1);
}

TEST(EvaluationMetrics, CheatsAreNeitherValidNorCompiled) {
  const std::vector<SampleResult> results = {result("a", 0, VerdictKind::kCheated, Stage::kFull)};
  expect_rate(evaluation_metrics(results), "valid_rate", 0, 1);
  expect_rate(evaluation_metrics(results), "compiled_rate", 0, 1);
}

// Without timing nothing is said about speed, rather than that nothing is fast.
TEST(EvaluationMetrics, WhatNobodyTimedHasNoRateOfFastOnes) {
  std::vector<SampleResult> results = {result("a", 0, VerdictKind::kPassed, Stage::kFull, 1.0)};
  results[0].speedup.reset();
  const Json metrics = evaluation_metrics(results);
  EXPECT_TRUE(metrics.at("fast_1").is_null());
  EXPECT_TRUE(metrics.at("geometric_mean_speedup").is_null());
  expect_rate(metrics, "correct_rate", 1, 1);
  EXPECT_EQ(timing_of(results), "none");
}

// a: greedy wrong, 2 of 4 samples right; b: greedy right, no sample.
TEST(EvaluationMetrics, GreedyAnswersAndSamplesAreApart) {
  std::vector<SampleResult> results = {
      result("a", 0, VerdictKind::kWrong, Stage::kFull),
      result("a", 0, VerdictKind::kPassed, Stage::kTiming, 1.5),
      result("a", 1, VerdictKind::kPassed, Stage::kTiming, 3.0),
      result("a", 2, VerdictKind::kWrong, Stage::kFull),
      result("a", 3, VerdictKind::kNoCode, Stage::kExtract),
      result("b", 0, VerdictKind::kPassed, Stage::kTiming, 1.0),
      result("b", 0, VerdictKind::kWrong, Stage::kFull),
      result("b", 1, VerdictKind::kWrong, Stage::kFull),
      result("b", 2, VerdictKind::kWrong, Stage::kFull),
      result("b", 3, VerdictKind::kWrong, Stage::kFull),
  };
  results[0].greedy = results[5].greedy = true;
  results[8].program = results[7].program;
  const Json metrics = evaluation_metrics(results);
  EXPECT_EQ(metrics.at("rates_of").text(), "greedy answer");
  expect_rate(metrics, "correct_rate", 1, 2);
  expect_rate(metrics, "pass@1", 0.5, 2);
  expect_rate(metrics, "pass@2", 1 - 1.0 / 6, 2);  // of a: both drawn from its two wrong ones, 1 of 6
  expect_rate(metrics, "pass@4", 1, 2);
  expect_rate(metrics.at("best_of_samples"), "correct_rate", 1, 2);
  expect_rate(metrics.at("best_of_samples"), "fast_2", 1, 2);
  EXPECT_DOUBLE_EQ(metrics.at("distinct_programs").real(), (3 + 3) / 2.0);
  EXPECT_DOUBLE_EQ(metrics.at("distinct_correct_programs").real(), (2 + 0) / 2.0);
}

TEST(EvaluationMetrics, DegenerateTasksAndLevelsAreReportedApart) {
  std::vector<SampleResult> results = {result("a", 0, VerdictKind::kWrong, Stage::kFull),
                                       result("b", 0, VerdictKind::kPassed, Stage::kTiming, 1.5),
                                       result("c", 0, VerdictKind::kPassed, Stage::kTiming, 9)};
  results[1].level = 2;
  results[2].degenerate = "output is exactly 0";
  const Json metrics = evaluation_metrics(results);
  expect_rate(metrics, "correct_rate", 1, 2);
  expect_rate(metrics.at("per_level").at("1"), "correct_rate", 0, 1);
  expect_rate(metrics.at("per_level").at("2"), "correct_rate", 1, 1);
  expect_rate(metrics.at("degenerate"), "correct_rate", 1, 1);
  expect_rate(metrics.at("with_degenerate"), "correct_rate", 2, 3);
  const std::string text = summary_text(evaluation_json({.model_path = "m"}, results));
  EXPECT_NE(text.find("level 2"), std::string::npos) << text;
  EXPECT_NE(text.find("degenerate"), std::string::npos) << text;
  EXPECT_NE(text.find("modelled"), std::string::npos) << text;
}

TEST(EvaluationComparison, PairsTasksThatBothJudged) {
  std::vector<SampleResult> first, second;
  const auto add = [](std::vector<SampleResult>& to, const std::string& id, bool right) {
    to.push_back(right ? result(id, 0, VerdictKind::kPassed, Stage::kTiming, 1.5)
                       : result(id, 0, VerdictKind::kWrong, Stage::kFull));
  };
  for (int i = 0; i < 9; ++i) {
    add(first, "gained" + std::to_string(i), false);
    add(second, "gained" + std::to_string(i), true);
  }
  add(first, "lost", true);
  add(second, "lost", false);
  add(first, "both", true);
  add(second, "both", true);
  add(first, "only here", true);
  second.push_back(result("only here", 0, VerdictKind::kInfrastructure, Stage::kTiny));
  const record::PairedDifference found = record::paired_difference(evaluation_json({.model_path = "a"}, first),
                                                                   evaluation_json({.model_path = "b"}, second));
  EXPECT_EQ(found.tasks, 11);
  EXPECT_EQ(found.both, 1);
  EXPECT_EQ(found.only_first, 1);
  EXPECT_EQ(found.only_second, 9);
  EXPECT_NEAR(found.p, 2 * (1 + 10) / 1024.0, 1e-12);
}

}  // namespace
}  // namespace tritonrl::evaluate
