// Every candidate of the corpus and of examples/ at its real shapes: sampled programs of each launch, in little memory.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "record/task_constants.h"
#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/compile_launches.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

class RealShapes : public testing::TestWithParam<python::CorpusPair> {};

TEST_P(RealShapes, AreSampledWithoutAFinding) {
  const python::RecordOutcome recorded =
      python::test_recorder().record(python::candidate_request(GetParam().task, GetParam().candidate));
  ASSERT_TRUE(recorded.program) << recorded.message;
  RunRequest request;
  request.program = &*recorded.program;
  request.sample = 16;
  request.memory_bytes = std::int64_t{2} << 30;
  const auto fault = compile_launches(request);
  ASSERT_FALSE(fault) << *fault;
  const RunOutcome outcome = test_runner().run(request);
  ASSERT_EQ(outcome.kind, RunOutcome::Kind::kCompleted) << to_string(outcome.kind) << ": " << outcome.message << "\n"
                                                        << outcome.log;
  EXPECT_EQ(outcome.launches.size(), request.launches.size());
  for (const LaunchReport& launch : outcome.launches) {
    for (const machine::Finding& finding : launch.findings) {
      ADD_FAILURE() << machine::to_string(finding.kind) << ", line " << finding.line << ": " << finding.message;
    }
    EXPECT_GT(launch.counters.executed, 0);
    EXPECT_LE(launch.counters.executed, std::max<std::int64_t>(request.sample, 8));
  }
  std::printf("%-32s %5.0f ms, %5.0f MiB\n", GetParam().name.c_str(), outcome.milliseconds,
              static_cast<double>(outcome.peak_bytes) / (1 << 20));
}

// By the text of the kernel: the places that its launches executed.
std::map<std::string, std::set<machine::SourcePosition>> covered_by(const std::string& task, const std::string& code,
                                                                    std::int64_t sample) {
  python::RecordRequest how = python::candidate_request(task, code);
  how.answer = [](const program::Program& so_far, const program::Question& question) {
    return test_runner().run(question_request(so_far, question, 0)).answer;
  };
  const python::RecordOutcome recorded = python::test_recorder().record(how);
  if (!recorded.program) throw std::runtime_error(recorded.message);
  RunRequest request;
  request.program = &*recorded.program;
  request.sample = sample;
  if (const auto fault = compile_launches(request)) throw std::runtime_error(*fault);
  const RunOutcome outcome = test_runner().run(request);
  EXPECT_EQ(outcome.kind, RunOutcome::Kind::kCompleted) << outcome.message;
  std::map<std::string, std::set<machine::SourcePosition>> out;
  for (const LaunchReport& report : outcome.launches) {
    if (report.at.section != Section::kForward) continue;
    const auto& step = recorded.program->forwards[0].steps[static_cast<std::size_t>(report.at.step)];
    const auto kernel = static_cast<std::size_t>(std::get<program::Launch>(step).kernel);
    out[recorded.program->kernels[kernel].name].insert(report.covered.begin(), report.covered.end());
  }
  return out;
}

// Honest kernels do at real shapes what they do at small ones.
TEST_P(RealShapes, ExecuteWhatSmallOnesDo) {
  const python::CorpusPair& pair = GetParam();
  if (pair.name == "matmul_autotune_heuristics") GTEST_SKIP() << "its sizes divide its blocks at real shapes alone";
  const auto real = covered_by(pair.task, pair.candidate, 16);
  const auto small = covered_by(record::with_constants(pair.task, pair.small), pair.candidate, 0);
  for (const auto& [kernel, places] : real) {
    EXPECT_FALSE(places.empty()) << kernel;
    for (const machine::SourcePosition& place : places) {
      if (place.is_round()) continue;  // the judge looks for a size that has it
      EXPECT_TRUE(small.contains(kernel) && small.at(kernel).contains(place))
          << kernel << " line " << place.line << " column " << place.column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealShapes, testing::ValuesIn(python::read_corpus()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tritonrl::runner
