// Recordings that are made again for what a run of them found. A GPU's runs say the same in the same form.
#include "judge/mending.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::judge {
namespace {

using Kind = runner::RunOutcome::Kind;

std::string task_with(const std::string& init, const std::string& forward, const std::string& inputs) {
  return "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        " +
         init + "\n    def forward(self, x):\n        " + forward + "\ndef get_inputs():\n    return [" + inputs +
         "]\n";
}

struct Mended {
  int recordings = 0;
  runner::RunOutcome outcome;
};

// Answers are assumed at first, as where the real sizes are too large to be computed.
Mended run_until_it_holds(const std::string& source) {
  Mended out;
  Mending known;
  for (;;) {
    const python::RecordOutcome recording = python::test_recorder().record(known.applied(python::task_request(source)));
    EXPECT_TRUE(recording.program) << recording.message;
    if (!recording.program) return out;
    ++out.recordings;
    runner::RunRequest how;
    how.program = &*recording.program;
    how.seed = 7;
    out.outcome = runner::test_runner().run(how);
    if (out.outcome.kind == Kind::kCompleted || !known.learn(out.outcome)) return out;
  }
}

TEST(Mending, ARecordingIsMadeAgainForTheAnswersOfItsData) {
  const Mended one = run_until_it_holds(task_with("pass", "return x / x.max().item()", "torch.rand(64)"));
  EXPECT_EQ(one.outcome.kind, Kind::kCompleted) << one.outcome.message;
  EXPECT_EQ(one.recordings, 2);
  const std::vector<double> values = runner::values(one.outcome.forwards.at(0).outputs.at(0));
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1.0);
}

TEST(Mending, AnswersBehindAnAnswerAndOfTheConstructor) {
  const Mended one =
      run_until_it_holds(task_with("self.a = torch.nn.Parameter(torch.rand(1)); self.b = self.a.item()",
                                   "return x[x > x.mean().item()] * self.b * x.sum().item()", "torch.rand(64)"));
  EXPECT_EQ(one.outcome.kind, Kind::kCompleted) << one.outcome.message;
  EXPECT_EQ(one.recordings, 5);  // the constructor, the mean, how many are above it, the sum
}

TEST(Mending, NothingIsLearnedFromWhatNoRecordingMends) {
  Mending known;
  EXPECT_FALSE(known.learn({}));
  runner::RunOutcome outcome;
  outcome.kind = Kind::kAtenError;
  outcome.at = {runner::Section::kForward, 0, 1};
  EXPECT_FALSE(known.learn(outcome));
  outcome.kind = Kind::kOtherAnswer;  // without the answer
  EXPECT_FALSE(known.learn(outcome));
  outcome.answer = program::Value{1.0};
  EXPECT_TRUE(known.learn(outcome));
  for (int i = 0; i < 100; ++i) known.learn(outcome);
  EXPECT_FALSE(known.learn(outcome)) << "a recording that never holds is given up";
}

// What the task does while it makes its inputs is no question to anybody else: they are inputs with any answer.
TEST(Mending, QuestionsWhileInputsAreMade) {
  const std::string source = task_with("pass", "return x * 1", "(lambda x: x / x.sum().item())(torch.rand(64))");
  const Mended one = run_until_it_holds(source);
  EXPECT_EQ(one.outcome.kind, Kind::kCompleted) << one.outcome.message;
  EXPECT_EQ(one.recordings, 1);
  python::RecordRequest request = python::task_request(source);
  request.forwards = 2;
  std::vector<runner::StepPlace> places;
  request.answer = [&](const program::Program& so_far, const program::Question& question) {
    places.push_back(place_of_question(so_far));
    return runner::test_runner().run(runner::question_request(so_far, question, 7)).answer;
  };
  const python::RecordOutcome answered = python::test_recorder().record(request);
  ASSERT_TRUE(answered.program) << answered.message;
  ASSERT_EQ(places.size(), 2u);
  for (int forward = 0; forward < 2; ++forward) {
    EXPECT_EQ(places[static_cast<std::size_t>(forward)].section, runner::Section::kInputs);
    EXPECT_EQ(places[static_cast<std::size_t>(forward)].forward, forward);
  }
  runner::RunRequest how;
  how.program = &*answered.program;
  how.seed = 7;
  how.forwards = {0, 1};
  const runner::RunOutcome outcome = runner::test_runner().run(how);
  ASSERT_EQ(outcome.kind, Kind::kCompleted) << outcome.message;
  for (const runner::ForwardResult& forward : outcome.forwards) {
    double sum = 0;
    for (const double value : runner::values(forward.outputs.at(0))) sum += value;
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

}  // namespace
}  // namespace tritonrl::judge
