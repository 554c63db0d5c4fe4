// Every candidate of the corpus and of examples/, recorded, compiled and executed at small shapes, against its
// reference: same draw, same values.
#include <gtest/gtest.h>

#include <cmath>

#include "record/task_constants.h"
#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/compile_launches.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

constexpr std::uint64_t kSeed = 99;

RunOutcome run(const program::Program& program, int variant = 0) {
  RunRequest request;
  request.program = &program;
  request.seed = kSeed;
  request.garbage_seed = 7;
  if (const auto fault = compile_launches(request, variant)) {
    RunOutcome refused;
    refused.kind = RunOutcome::Kind::kNotExecutable;
    refused.message = *fault;
    return refused;
  }
  return test_runner().run(request);
}

python::RecordOutcome record(python::RecordRequest request) {
  request.answer = [](const program::Program& so_far,
                      const program::Question& question) -> std::optional<program::Value> {
    RunRequest asked = question_request(so_far, question, kSeed);
    if (compile_launches(asked)) return std::nullopt;
    return test_runner().run(asked).answer;
  };
  return python::test_recorder().record(request);
}

double tolerance(program::DType dtype) {
  switch (dtype) {
    case program::DType::kFloat64:
    case program::DType::kFloat32:
      return 1e-4;
    case program::DType::kFloat16:
    case program::DType::kBFloat16:
      return 1e-2;
    default:
      return 0;
  }
}

// tl.dot rounds its operands as the target's matrix units do, unless told otherwise: TF32 for float32.
bool rounds_operands(const RunOutcome& outcome) {
  for (const LaunchReport& launch : outcome.launches) {
    for (std::size_t i = 0; i < launch.counters.dot_ops.size(); ++i) {
      const auto precision = static_cast<program::Precision>(i);
      if (precision == program::Precision::kFp64 || precision == program::Precision::kFp32) continue;
      if (launch.counters.dot_ops[i] > 0) return true;
    }
  }
  return false;
}

void expect_close(const TensorData& got, const TensorData& want, double least_tolerance) {
  EXPECT_EQ(got.sizes, want.sizes);
  const std::vector<double> a = values(got), b = values(want);
  ASSERT_EQ(a.size(), b.size());
  const double most = std::max({tolerance(got.dtype), tolerance(want.dtype), least_tolerance});
  std::size_t wrong = 0, first = 0;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    if (same || std::abs(a[i] - b[i]) <= most + most * std::abs(b[i])) continue;
    if (wrong++ == 0) first = i;
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  EXPECT_EQ(wrong, 0u) << "of " << a.size() << "; element " << first << " is " << a[first] << " and not " << b[first]
                       << "; largest difference " << worst;
}

void expect_no_finding(const RunOutcome& outcome) {
  for (const LaunchReport& launch : outcome.launches) {
    for (const machine::Finding& finding : launch.findings) {
      ADD_FAILURE() << machine::to_string(finding.kind) << ", line " << finding.line << ": " << finding.message;
    }
  }
}

// Configurations of the kernel that is tuned over most of them.
int most_variants(const program::Program& program) {
  std::size_t most = 1;
  for (const program::Step& step : program.forwards[0].steps) {
    if (const auto* launch = std::get_if<program::Launch>(&step)) most = std::max(most, launch->variants.size());
  }
  return static_cast<int>(most);
}

class Pairs : public testing::TestWithParam<python::CorpusPair> {};

TEST_P(Pairs, GivesTheReferencesTensors) {
  const python::CorpusPair& pair = GetParam();
  const std::string task = record::with_constants(pair.task, pair.small);
  const python::RecordOutcome reference = record(python::task_request(task));
  ASSERT_TRUE(reference.program) << reference.message;
  const python::RecordOutcome candidate = record(python::candidate_request(task, pair.candidate));
  ASSERT_TRUE(candidate.program) << candidate.message;
  const RunOutcome want = run(*reference.program);
  ASSERT_EQ(want.kind, RunOutcome::Kind::kCompleted) << to_string(want.kind) << ": " << want.message;
  for (int variant = 0; variant < most_variants(*candidate.program); ++variant) {
    SCOPED_TRACE("variant " + std::to_string(variant));
    const RunOutcome got = run(*candidate.program, variant);
    ASSERT_EQ(got.kind, RunOutcome::Kind::kCompleted) << to_string(got.kind) << ": " << got.message << "\n" << got.log;
    EXPECT_EQ(got.log, "");  // a sanitizer's word would be here
    expect_no_finding(got);
    const auto& outputs = got.forwards[0].outputs;
    ASSERT_EQ(outputs.size(), want.forwards[0].outputs.size());
    const double least_tolerance = rounds_operands(got) ? 1e-2 : 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      expect_close(outputs[i], want.forwards[0].outputs[i], least_tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(python::read_corpus()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tritonrl::runner
