#include "optimize/optimize.h"

#include <gtest/gtest.h>

#include "optimize/wording.h"
#include "tests/optimize/scripted.h"

namespace tritonrl::optimize {
namespace {

Subject subject_with(const std::vector<std::string>& inputs) {
  Subject out;
  out.place = "net.py";
  out.entry_point = "Net";
  out.source = "class Net: pass\n";
  out.inputs = parse_inputs(inputs);
  out.inputs_from = kGiven;
  return out;
}

struct Bench {
  ReadingJudge judge;
  std::vector<Candidate> teacher, canonical, model, fewer;
  std::string why_none;

  Optimized run(const Subject& subject, OptimizeOptions options = {}) {
    options.workers = 2;
    OptimizeTools tools;
    tools.judge = &judge;
    tools.teacher = [&](const record::Task&) {
      TeacherCandidates out{
          .candidates = teacher, .canonical = canonical, .exact = {}, .why_none = why_none, .fewer = {}};
      out.fewer = [&](const Candidate& one) { return one.source == "teacher" ? fewer : std::vector<Candidate>(); };
      return out;
    };
    if (!model.empty()) {
      tools.model = [&](const record::Task&, int first, int count, const std::function<bool()>&) {
        return std::vector<Candidate>(model.begin() + first, model.begin() + first + count);
      };
    }
    return optimize(subject, options, tools);
  }
};

TEST(Optimize, TakesTheFastestOfAllSources) {
  Bench bench;
  bench.teacher = {candidate("teacher", "speed 1.2"), candidate("strict", "speed 0.8")};
  bench.model = {candidate("likeliest", "nothing"), candidate("sample", "speed 1.4")};
  const Subject subject = subject_with({"f32[8]"});
  const Optimized found = bench.run(subject, {.samples = 2});
  ASSERT_NE(found.best(), nullptr);
  EXPECT_EQ(found.best()->candidate.source, "sample");
  EXPECT_EQ(found.tried.size(), 4u);
  EXPECT_EQ(summary_text(subject, found).substr(0, 36), "fastest: sample, 1.40 times eager to");
}

TEST(Optimize, TriesCanonicalFormsWhereNoOtherIsFaster) {
  Bench bench;
  bench.canonical = {candidate("canonical", "speed 1.3")};
  bench.teacher = {candidate("teacher", "speed 1.2")};
  EXPECT_EQ(bench.run(subject_with({"f32[8]"})).tried.size(), 1u);
  bench.teacher = {candidate("slower", "speed 0.9")};
  EXPECT_EQ(bench.run(subject_with({"f32[8]"})).best()->candidate.source, "canonical");
  bench.teacher = {candidate("wrong", "nothing")};
  EXPECT_EQ(bench.run(subject_with({"f32[8]"})).best()->candidate.source, "canonical");
}

TEST(Optimize, LeavesToTorchWhatIsSlower) {
  Bench bench;
  bench.teacher = {candidate("teacher", "speed 0.7")};
  bench.fewer = {candidate("without 3", "speed 0.6"), candidate("without 5", "speed 1.1")};
  const Optimized found = bench.run(subject_with({"f32[8]"}));
  ASSERT_NE(found.best(), nullptr);
  EXPECT_EQ(found.best()->candidate.source, "without 5");
}

TEST(Optimize, SaysThatEagerIsBetter) {
  Bench bench;
  bench.teacher = {candidate("teacher", "speed 0.7")};
  const Subject subject = subject_with({"f32[8]"});
  const std::string text = summary_text(subject, bench.run(subject));
  EXPECT_TRUE(text.starts_with("eager torch is the better choice: the best proven kernel, teacher, is 0.70 times"))
      << text;
}

TEST(Optimize, AMeasuredIntervalMustLieAboveOneAndCompileBeBeaten) {
  record::Verdict verdict;
  EXPECT_FALSE(is_faster(verdict));
  record::Timing& timing = verdict.timing.emplace();
  timing = {.measured = true, .speedup = 1.05, .reference_us = 105, .candidate_us = 100, .speedup_low = 0.99};
  EXPECT_FALSE(is_faster(verdict));
  timing.speedup_low = 1.01;
  EXPECT_TRUE(is_faster(verdict));
  timing.compile_us = 99;
  EXPECT_FALSE(is_faster(verdict));
  timing.compile_us = 101;
  EXPECT_TRUE(is_faster(verdict));
}

TEST(Optimize, WhatIsRightAtSomeSizesOnlyLoses) {
  Bench bench;
  bench.teacher = {candidate("large ones only", "speed 3.0 above 32"), candidate("all", "speed 1.2")};
  const Subject subject = subject_with({"f32[B=16..64]"});
  const Optimized found = bench.run(subject, {.inner_sizes = 2});
  ASSERT_NE(found.best(), nullptr);
  EXPECT_EQ(found.best()->candidate.source, "all");
  EXPECT_EQ(found.tried[0].failed_at, "B = 16");
  ASSERT_EQ(found.ranges.size(), 3u);
  EXPECT_EQ(found.ranges[0].sizes, (Sizes{{"B", 16}}));
  for (const RangeProof& proof : found.ranges) {
    EXPECT_TRUE(proof.right());
    EXPECT_GE(proof.sizes.at("B"), 16);
    EXPECT_LT(proof.sizes.at("B"), 64);
  }
  EXPECT_EQ(found.timed_sizes, (Sizes{{"B", 64}}));
  EXPECT_NE(found.task.source.find("torch.rand([64])"), std::string::npos);
}

TEST(Optimize, ASmallRangeIsProvenAsFarAsItHasSizes) {
  Bench bench;
  bench.teacher = {candidate("all", "speed 1.2")};
  const Optimized found = bench.run(subject_with({"f32[2..3]"}), {.inner_sizes = 5});
  ASSERT_EQ(found.ranges.size(), 1u);
  EXPECT_EQ(found.ranges[0].sizes, (Sizes{{"2..3", 2}}));
}

TEST(Optimize, SaysWhatWasTriedWhereNothingPasses) {
  Bench bench;
  bench.teacher = {candidate("teacher", "nothing"), candidate("large ones only", "speed 3.0 above 32")};
  const Subject subject = subject_with({"f32[16..64]"});
  const Optimized found = bench.run(subject);
  EXPECT_EQ(found.best(), nullptr);
  const std::string text = summary_text(subject, found);
  for (const char* part : {"no kernel for net.py:Net was proven", "teacher: wrong: race", "as the test has it",
                           "large ones only: passed, but not right at 16..64 = 16"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;

  Bench nothing;
  nothing.why_none = "nothing in it can be replaced";
  const std::string none = summary_text(subject, nothing.run(subject));
  EXPECT_NE(none.find("teacher: nothing in it can be replaced"), std::string::npos) << none;
  EXPECT_NE(none.find("there was no candidate to judge"), std::string::npos) << none;
}

}  // namespace
}  // namespace tritonrl::optimize
