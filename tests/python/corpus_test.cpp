// The corpus: candidates in the styles that models write. Each must be recorded as what it is.
#include "tests/python/corpus.h"

#include <gtest/gtest.h>

#include "program/program_json.h"
#include "record/task_constants.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

std::vector<std::string> launched(const program::Program& program, const std::vector<program::Step>& steps) {
  std::vector<std::string> names;
  for (const program::Step& step : steps) {
    if (const auto* launch = std::get_if<program::Launch>(&step)) names.push_back(program.kernels[launch->kernel].name);
  }
  return names;
}

int questions(const std::vector<program::Step>& steps) {
  int count = 0;
  for (const program::Step& step : steps) count += std::holds_alternative<program::Question>(step) ? 1 : 0;
  return count;
}

// The target is where all of forward happens: no launch or arithmetic call may touch the host's memory.
void expect_on_target(const program::Program& program, const std::vector<program::Step>& steps) {
  for (const program::Step& step : steps) {
    const auto* launch = std::get_if<program::Launch>(&step);
    if (launch == nullptr) continue;
    for (const program::LaunchArgument& argument : launch->variants.front().arguments) {
      program::for_each_tensor(argument.value, [&](program::TensorRef ref) {
        EXPECT_EQ(program.storages[program.tensors[ref.index].storage].device, program::Device::kTarget)
            << argument.name;
      });
    }
  }
}

class Corpus : public testing::TestWithParam<CorpusPair> {};

TEST_P(Corpus, CandidateIsRecordedAsWhatItIs) {
  const CorpusPair& pair = GetParam();
  RecordRequest request = candidate_request(pair.task, pair.candidate);
  request.forwards = 2;
  const RecordOutcome outcome = test_recorder().record(request);
  ASSERT_EQ(outcome.kind, RecordOutcome::Kind::kRecorded)
      << outcome.phase << " line " << outcome.line << ": " << outcome.message;
  const program::Program& program = *outcome.program;
  EXPECT_EQ(program.subject, pair.subject);
  EXPECT_EQ(launched(program, program.initialise), pair.init_launches);
  // in the first call stand a tuner's own launches, too
  EXPECT_EQ(launched(program, program.forwards.back().steps), pair.launches);
  EXPECT_EQ(questions(program.forwards[0].steps), pair.questions);
  EXPECT_NE(
      program.forwards[0].outputs.kind == program::Structure::Kind::kLeaf && program.forwards[0].outputs.leaf.is_none(),
      true);
  for (const program::Forward& forward : program.forwards) expect_on_target(program, forward.steps);
}

TEST_P(Corpus, ReferenceIsRecordedAndSurvivesItsJsonForm) {
  const CorpusPair& pair = GetParam();
  const RecordOutcome outcome = test_recorder().record(task_request(pair.task));
  ASSERT_EQ(outcome.kind, RecordOutcome::Kind::kRecorded)
      << outcome.phase << " line " << outcome.line << ": " << outcome.message;
  const std::string json = program::to_json(*outcome.program);
  const base::Result<program::Program> again = program::read_program(json);
  ASSERT_TRUE(again.ok()) << again.error();
  EXPECT_EQ(program::to_json(again.value()), json);
}

TEST_P(Corpus, RecordedAgainInTheSameProcessItIsTheSame) {
  const CorpusPair& pair = GetParam();
  std::vector<RecordRequest> requests(3, candidate_request(pair.task, pair.candidate));
  requests[1].task.source = record::with_constants(pair.task, pair.small);
  requests[1].forwards = 2;
  for (RecordRequest& request : requests) request.check_source = true;
  const std::vector<RecordOutcome> outcomes = test_recorder().record_all(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RecordOutcome alone = test_recorder().record(requests[i]);
    ASSERT_EQ(to_string(outcomes[i].kind), "recorded") << "request " << i << ": " << outcomes[i].message;
    EXPECT_EQ(program::to_json(*outcomes[i].program), program::to_json(*alone.program)) << "request " << i;
    EXPECT_EQ(outcomes[i].source, alone.source);
  }
  const SourceReport& report = outcomes[0].source.value();
  EXPECT_TRUE(report.parses && report.has_entry_class);
  EXPECT_FALSE(report.jit_functions.empty());
  for (const JitFunction& one : report.jit_functions) EXPECT_TRUE(one.real_body && one.referenced) << one.name;
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(read_corpus()), [](const auto& one) { return one.param.name; });

TEST(CorpusSize, HasFortyCandidatesAndMore) {
  EXPECT_GE(read_corpus().size(), 40u);
}

}  // namespace
}  // namespace tritonrl::python
