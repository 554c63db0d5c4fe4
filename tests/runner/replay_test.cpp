// Recordings of the corpus' reference modules, executed by the runner, against eager torch: same seeds, same tensors.
#include <gtest/gtest.h>

#include <cmath>

#include "base/base64.h"
#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "record/task_constants.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

using python::CorpusPair;

constexpr std::uint64_t kSeed = 1234;  // eager_outputs.py's

// What eager torch gives for every small task, computed once for the whole corpus.
const base::Json& eager_outputs() {
  static const base::Json outputs = [] {
    const base::ScratchFolder folder;
    std::vector<std::string> command = {python::test_recorder_options().interpreter.executable,
                                        source_path("tests/runner/eager_outputs.py"), folder.path("out.json")};
    for (const CorpusPair& pair : python::read_corpus()) {
      const std::string file = folder.path(pair.name + ".py");
      base::write_file_atomically(file, record::with_constants(pair.task, pair.small));
      command.push_back(pair.name + "=" + file);
    }
    const base::CommandResult result = base::run_command(command, std::chrono::minutes(5));
    if (result.exit_code != 0) throw std::runtime_error("eager_outputs.py failed: " + result.errors);
    return base::Json::parse(base::read_file(command[2]));
  }();
  return outputs;
}

class Replay : public testing::TestWithParam<CorpusPair> {};

TEST_P(Replay, GivesTheTensorsOfEagerTorch) {
  const CorpusPair& pair = GetParam();
  const program::Program program = record_task(record::with_constants(pair.task, pair.small), kSeed);
  RunRequest request;
  request.program = &program;
  request.seed = kSeed;
  const RunOutcome outcome = test_runner().run(request);
  ASSERT_EQ(outcome.kind, RunOutcome::Kind::kCompleted) << to_string(outcome.kind) << ": " << outcome.message;
  const std::vector<TensorData>& got = outcome.forwards.at(0).outputs;
  const base::Json& expected = eager_outputs().at(pair.name);
  ASSERT_EQ(got.size(), expected.size());
  ASSERT_FALSE(got.empty());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].sizes, expected[i]["sizes"].get<std::vector<std::int64_t>>());
    EXPECT_EQ(program::to_string(got[i].dtype), expected[i]["dtype"].get<std::string>());
    TensorData want = got[i];
    want.bytes = base::base64_decode(expected[i]["data"].get<std::string>()).value();
    const std::vector<double> a = values(got[i]), b = values(want);
    ASSERT_EQ(a.size(), b.size());
    // the same kernels in the same order; matrix libraries still round by how their operands happen to be aligned,
    // which shows in elements where large terms cancel and in the last place of short types
    const double last_place = got[i].dtype == program::DType::kFloat16    ? std::ldexp(1, -10)
                              : got[i].dtype == program::DType::kBFloat16 ? std::ldexp(1, -7)
                                                                          : 1e-6;
    double largest = 0;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < a.size(); ++k) {
      ASSERT_LE(std::abs(a[k] - b[k]), 1e-6 + 1e-6 * largest + last_place * std::abs(b[k]))
          << "output " << i << ", element " << k;
    }
  }
}

// The same in float64: near the recorded types' results, or a reason why there is none.
TEST_P(Replay, HasAnOracleNearby) {
  const CorpusPair& pair = GetParam();
  const program::Program program = record_task(record::with_constants(pair.task, pair.small), kSeed);
  RunRequest request;
  request.program = &program;
  request.seed = kSeed;
  std::vector<RunRequest> requests(2, request);
  requests[1].oracle = true;
  const std::vector<RunOutcome> outcomes = test_runner().run_all(requests);
  ASSERT_EQ(outcomes[0].kind, RunOutcome::Kind::kCompleted) << outcomes[0].message;
  if (outcomes[1].kind == RunOutcome::Kind::kNotExecutable) GTEST_SKIP() << outcomes[1].message;
  ASSERT_EQ(outcomes[1].kind, RunOutcome::Kind::kCompleted)
      << to_string(outcomes[1].kind) << ": " << outcomes[1].message;
  const auto &got = outcomes[0].forwards.at(0).outputs, &exact = outcomes[1].forwards.at(0).outputs;
  ASSERT_EQ(got.size(), exact.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool half = got[i].dtype == program::DType::kFloat16 || got[i].dtype == program::DType::kBFloat16;
    const double tolerance = half ? 2e-2 : 1e-3;
    const std::vector<double> a = values(got[i]), b = values(exact[i]);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (std::isnan(a[k]) && std::isnan(b[k])) continue;
      if (a[k] == b[k]) continue;  // infinities too
      ASSERT_LE(std::abs(a[k] - b[k]), tolerance * (1 + std::abs(b[k]))) << "output " << i << ", element " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Replay, testing::ValuesIn(python::read_corpus()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tritonrl::runner
