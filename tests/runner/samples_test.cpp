// Every candidate of the corpus and of examples/ at its real shapes: sampled programs of each launch, in little memory.
#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(All, RealShapes, testing::ValuesIn(python::read_corpus()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tritonrl::runner
