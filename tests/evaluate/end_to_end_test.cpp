#include "base/files.h"
#include "evaluate/evaluate.h"
#include "evaluate/report.h"
#include "generate/scripted_generator.h"
#include "tests/base/scratch_folder.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"

namespace tritonrl::evaluate {
namespace {

// Two tasks and the judge of this machine: one answer is right, one is a kernel of another task, one is no code.
TEST(EvaluateWithTheJudge, SaysWhatAnswersAreWorth) {
  const base::ScratchFolder folder;
  for (const char* name : {"relu_bias", "softmax"}) {
    base::make_folder_of(folder.path("tasks/x"));
    base::write_file_atomically(folder.path("tasks/") + name + ".py",
                                base::read_file(source_path(std::string("examples/tasks/") + name + ".py")));
  }
  TaskOptions options;
  options.source = folder.path("tasks");
  const std::vector<EvaluationTask> tasks = read_tasks(options);
  ASSERT_EQ(tasks.size(), 2u);

  const std::string kernel = base::read_file(source_path("examples/kernels/relu_bias.py"));
  generate::ScriptedGenerator generator([&](const generate::GenerateRequest& request, int index) {
    return index == 0 ? "Here it is:\n```python\n" + kernel + "```\n" : "I cannot help with " + request.id;
  });
  EvaluateTools tools;
  tools.generator = &generator;
  tools.sampling.max_new_tokens = 1 << 20;
  tools.judge = &judge::test_funnel();
  tools.ask = [](const EvaluationTask&) { return text::AskedPrompt{.tokens = {1, 2, 3}, .stop_tokens = {}}; };
  ResultLog log(folder.path("eval.jsonl"), base::Json::object(), false);
  const EvaluateOutcome outcome = evaluate(tasks, {.samples = 2}, tools, log);
  ASSERT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.results.size(), 4u);
  EXPECT_TRUE(outcome.results[0].correct()) << outcome.results[0].outcome() << ": " << outcome.results[0].message;
  EXPECT_TRUE(outcome.results[0].speedup.has_value());
  EXPECT_EQ(outcome.results[1].outcome(), "extraction");
  EXPECT_TRUE(outcome.results[2].judged());
  EXPECT_FALSE(outcome.results[2].correct()) << "a kernel of relu_bias is no softmax";
  EXPECT_EQ(outcome.results[3].outcome(), "extraction");
  const base::Json json = evaluation_json({.model_path = "scripted"}, outcome.results);
  EXPECT_EQ(json.at("metrics").at("correct_rate").real(), 0.5);
  EXPECT_EQ(json.at("metrics").at("pass@2").real(), 0.5);
  EXPECT_EQ(json.at("metrics").at("pass@1").real(), 0.25);
  EXPECT_EQ(json.at("timing").text(), outcome.results[0].measured ? "measured" : "modelled");
}

}  // namespace
}  // namespace tritonrl::evaluate
