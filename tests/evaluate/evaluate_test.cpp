#include "evaluate/evaluate.h"

#include <atomic>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "evaluate/report.h"
#include "generate/draws.h"
#include "generate/scripted_generator.h"
#include "judge/scripted_judge.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;
using record::VerdictKind;

constexpr const char* kRight = "```python\nclass ModelNew:\n    def forward(self): right\n```";
constexpr const char* kWrong = "```python\nclass ModelNew:\n    def forward(self): wrong\n```";

record::Verdict verdict_of(const judge::Submission& submission) {
  record::Verdict verdict;
  verdict.judge_version = "test";
  verdict.reward = 0;
  verdict.message = submission.extraction.value_or("");
  verdict.kind = submission.code.empty()                              ? VerdictKind::kNoCode
                 : submission.code.find("right") != std::string::npos ? VerdictKind::kPassed
                                                                      : VerdictKind::kWrong;
  verdict.stage = verdict.kind == VerdictKind::kNoCode ? record::Stage::kExtract : record::Stage::kTiming;
  if (verdict.kind == VerdictKind::kPassed) {
    verdict.reward = 1;
    verdict.timing.emplace().speedup = 1.5;
  }
  return verdict;
}

std::vector<EvaluationTask> some_tasks(int count) {
  std::vector<EvaluationTask> tasks;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    tasks.push_back({.task = {.id = "task" + number, .source = "source " + number, .entry_point = ""},
                     .level = 1,
                     .degenerate = ""});
  }
  return tasks;
}

// A generator whose requests are kept, and a judge.
struct Bench {
  explicit Bench(generate::ScriptedGenerator::Script answer_of)
      : generator([this, answer_of](const generate::GenerateRequest& request, int index) {
          if (index == 0) requests.push_back(request);
          return answer_of(request, index);
        }),
        judge([this](const judge::Submission& submission) {
          ++judged;
          return judge_by(submission);
        }) {}

  EvaluateTools tools() {
    EvaluateTools out;
    out.generator = &generator;
    out.judge = &judge;
    out.ask = [](const EvaluationTask& task) {
      text::AskedPrompt prompt;
      for (const char c : task.task.source) prompt.tokens.push_back(c);
      prompt.stop_tokens = {7};
      return prompt;
    };
    return out;
  }

  std::vector<generate::GenerateRequest> requests;
  std::atomic<int> judged = 0;
  std::function<record::Verdict(const judge::Submission&)> judge_by = verdict_of;
  generate::ScriptedGenerator generator;
  judge::ScriptedJudge judge;
};

Json options_of(int number) {
  return Json{{"number", number}, {"inner", Json{{"temperature", 0.5}}}};
}

TEST(Evaluate, AnswersEveryTaskAndJudgesTheAnswers) {
  const base::ScratchFolder folder;
  ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
  Bench bench([](const generate::GenerateRequest& request, int index) -> std::string {
    if (request.sampling.temperature == 0) return "I do not know.";
    return index == 1 ? kRight : kWrong;
  });
  const std::vector<EvaluationTask> tasks = some_tasks(3);
  const EvaluateOutcome outcome = evaluate(tasks, {.samples = 2, .greedy = true, .seed = 5}, bench.tools(), log);
  EXPECT_TRUE(outcome.complete);
  ASSERT_EQ(outcome.results.size(), 9u);
  for (int i = 0; i < 9; ++i) {
    const SampleResult& result = outcome.results[static_cast<std::size_t>(i)];
    EXPECT_EQ(result.id, "task" + std::to_string(i / 3));
    EXPECT_EQ(result.greedy, i % 3 == 0);
    EXPECT_EQ(result.index, i % 3 == 2 ? 1 : 0);
    EXPECT_EQ(result.outcome(), i % 3 == 0 ? "extraction" : i % 3 == 1 ? "wrong" : "passed");
    EXPECT_EQ(result.prompt_tokens, 8);
    EXPECT_GT(result.tokens, 0);
    EXPECT_EQ(result.finish, "stop_token");
    EXPECT_FALSE(result.extraction.empty());
    EXPECT_EQ(result.program.empty(), i % 3 == 0);
    EXPECT_EQ(result.seed, generate::sample_seed(task_seed(5, result.id), result.index));
  }
  EXPECT_EQ(outcome.results[2].text, kRight);
  ASSERT_EQ(bench.requests.size(), 6u);
  for (const generate::GenerateRequest& request : bench.requests) EXPECT_EQ(request.sampling.stop_tokens.at(0), 7);
  const Json json = evaluation_json({.model_path = "somewhere"}, outcome.results);
  EXPECT_EQ(json.at("num_tasks").integer(), 3);
  EXPECT_EQ(json.at("model_path").text(), "somewhere");
  EXPECT_EQ(json.at("judge_version").text(), "test");
  EXPECT_EQ(json.at("metrics").at("outcomes"), Json::parse(R"({"extraction":3})"));
  EXPECT_EQ(json.at("metrics").at("pass@1").real(), 0.5);
  EXPECT_EQ(json.at("detailed_results").size(), 9u);
  EXPECT_EQ(json.at("detailed_results").at(2).at("stage").text(), "timing");
}

// Killed after some results: those stay, the others come with the seeds that they would have had.
TEST(Evaluate, GoesOnWhereItWasStopped) {
  const base::ScratchFolder folder;
  const std::vector<EvaluationTask> tasks = some_tasks(4);
  const EvaluateOptions options{.samples = 3, .greedy = true, .seed = 2, .workers = 1};
  const auto answer_of = [](const generate::GenerateRequest& request, int index) {
    return "```python\nclass ModelNew:\n    def forward(self): right" +
           std::to_string(generate::sample_seed(request.seed, index)) + "\n```";
  };
  Bench whole(answer_of);
  ResultLog whole_log(folder.path("whole.jsonl"), options_of(1), false);
  const EvaluateOutcome expected = evaluate(tasks, options, whole.tools(), whole_log);
  ASSERT_TRUE(expected.complete);

  for (int kept = 0; kept <= 16; ++kept) {
    const std::string path = folder.path("part" + std::to_string(kept) + ".jsonl");
    std::string lines = base::read_file(folder.path("whole.jsonl"));
    std::size_t end = 0;
    for (int i = 0; i <= kept; ++i) end = lines.find('\n', end) + 1;
    base::write_file_atomically(path, lines.substr(0, end) + "{\"id\":\"task");  // and a torn line
    Bench bench(answer_of);
    ResultLog log(path, options_of(1), false);
    int earlier = 0, fresh = 0;
    EvaluateTools tools = bench.tools();
    tools.result_came = [&](const SampleResult&, bool was_there) { ++(was_there ? earlier : fresh); };
    const EvaluateOutcome outcome = evaluate(tasks, options, tools, log);
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(earlier, kept);
    EXPECT_EQ(fresh, 16 - kept);
    EXPECT_EQ(bench.judged, 16 - kept);
    EXPECT_EQ(outcome.results, expected.results) << kept;
  }
}

TEST(Evaluate, StopsWhenAskedAndKeepsWhatWasJudged) {
  const base::ScratchFolder folder;
  Bench bench([](const generate::GenerateRequest&, int) { return kRight; });
  std::atomic<bool> stop = false;
  bench.judge_by = [&](const judge::Submission& submission) {
    stop = true;
    return verdict_of(submission);
  };
  const std::vector<EvaluationTask> tasks = some_tasks(2000);
  EvaluateTools tools = bench.tools();
  tools.stopped = [&] { return stop.load(); };
  std::size_t kept = 0;
  {
    ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
    const EvaluateOutcome outcome = evaluate(tasks, {.workers = 1}, tools, log);
    EXPECT_FALSE(outcome.complete);
    kept = outcome.results.size();
    for (const SampleResult& result : outcome.results) EXPECT_TRUE(result.judged());
  }
  EXPECT_GE(kept, 1u);
  EXPECT_LT(kept, 2000u);
  EXPECT_EQ(ResultLog(folder.path("eval.jsonl"), options_of(1), false).kept().size(), kept);
}

TEST(Evaluate, OtherOptionsDoNotGoOn) {
  const base::ScratchFolder folder;
  const std::string path = folder.path("eval.jsonl");
  { const ResultLog log(path, options_of(1), false); }
  { const ResultLog log(path, options_of(1), false); }
  try {
    const ResultLog log(path, options_of(2), false);
    ADD_FAILURE() << "other options were taken";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("number (1 then, 2 now)"), std::string::npos) << error.what();
  }
  Json inner = options_of(1);
  inner["inner"]["temperature"] = 0.75;
  try {
    const ResultLog log(path, inner, false);
    ADD_FAILURE() << "other options were taken";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("inner.temperature (0.5 then"), std::string::npos) << error.what();
  }
  { const ResultLog log(path, options_of(2), /*overwrite=*/true); }
  base::write_file_atomically(path, "{\"id\":1}\n");
  EXPECT_THROW(ResultLog(path, options_of(2), false), base::UserError);
}

// No fault of the answer's: no wrong answer, and tried again by the next call. A task that must be fixed is not.
TEST(Evaluate, WhatCouldNotBeJudgedIsNotWrong) {
  const base::ScratchFolder folder;
  Bench bench([](const generate::GenerateRequest&, int) { return kRight; });
  bench.judge_by = [](const judge::Submission& submission) -> record::Verdict {
    if (submission.task.id == "task1") throw base::UserError("judge", "the task does not run");
    if (submission.task.id != "task2") return verdict_of(submission);
    record::Verdict ours;
    ours.kind = VerdictKind::kInfrastructure;
    return ours;
  };
  const std::vector<EvaluationTask> tasks = some_tasks(3);
  {
    ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
    const EvaluateOutcome outcome = evaluate(tasks, {}, bench.tools(), log);
    EXPECT_TRUE(outcome.complete);
    const Json metrics = evaluation_json({.model_path = ""}, outcome.results).at("metrics");
    EXPECT_EQ(metrics.at("correct_rate").real(), 1);
    EXPECT_EQ(metrics.at("not_judged").integer(), 2);
    EXPECT_EQ(metrics.at("outcomes"), Json::parse(R"({"passed":1,"infrastructure: bad_task":1,"infrastructure":1})"));
  }
  bench.judge_by = verdict_of;
  bench.judged = 0;
  ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
  const EvaluateOutcome outcome = evaluate(tasks, {}, bench.tools(), log);
  EXPECT_EQ(bench.judged, 1);
  EXPECT_TRUE(outcome.results[2].correct());
}

// Nor is it tried again: another call would say the same.
TEST(Evaluate, ATaskThatCannotBeJudgedIsInNoRate) {
  const base::ScratchFolder folder;
  Bench bench([](const generate::GenerateRequest&, int) { return kRight; });
  bench.judge_by = [](const judge::Submission& submission) {
    record::Verdict out = verdict_of(submission);
    if (submission.task.id == "task1") {
      out.kind = VerdictKind::kUnjudged;
      out.reward.reset();
    }
    return out;
  };
  const std::vector<EvaluationTask> tasks = some_tasks(3);
  for (const int judged : {3, 0}) {
    bench.judged = 0;
    ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
    const EvaluateOutcome outcome = evaluate(tasks, {}, bench.tools(), log);
    EXPECT_EQ(bench.judged, judged);
    const Json metrics = evaluation_json({.model_path = ""}, outcome.results).at("metrics");
    EXPECT_EQ(metrics.at("correct_rate").real(), 1);
    EXPECT_EQ(metrics.at("unjudged").integer(), 1);
    EXPECT_EQ(metrics.at("outcomes"), Json::parse(R"({"passed":2,"unjudged":1})"));
  }
}

TEST(Evaluate, APromptThatLeavesNoRoomIsCountedByName) {
  const base::ScratchFolder folder;
  ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
  Bench bench([](const generate::GenerateRequest&, int) { return kRight; });
  std::vector<EvaluationTask> tasks = some_tasks(2);
  tasks[0].task.source = std::string(100, 'x');
  EvaluateTools tools = bench.tools();
  tools.context = 100;
  const EvaluateOutcome outcome = evaluate(tasks, {}, tools, log);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.results[0].outcome(), "prompt_too_long");
  EXPECT_EQ(outcome.results[0].prompt_tokens, 100);
  EXPECT_TRUE(outcome.results[0].judged());
  EXPECT_TRUE(outcome.results[1].correct());
}

TEST(Evaluate, TakesAnswersOfAFile) {
  const base::ScratchFolder folder;
  const Json right = kRight, wrong = kWrong;
  base::write_file_atomically(folder.path("answers.jsonl"), "{\"id\":\"task0\",\"text\":" + wrong.dump() +
                                                                "}\n\n{\"id\":\"task0\",\"text\":" + right.dump() +
                                                                "}\n{\"id\":\"task1\",\"text\":\"\"}\n");
  const Answers answers(folder.path("answers.jsonl"));
  EXPECT_EQ(answers.first_id(), "task0");
  EXPECT_FALSE(answers.has("task2"));
  Bench bench([](const generate::GenerateRequest&, int) -> std::string {
    ADD_FAILURE();
    return "";
  });
  EvaluateTools tools = bench.tools();
  tools.answers = &answers;
  EvaluateOutcome outcome;
  {
    ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
    outcome = evaluate(some_tasks(2), {.samples = 2}, tools, log);
  }
  ASSERT_EQ(outcome.results.size(), 4u);
  EXPECT_EQ(outcome.results[0].outcome(), "wrong");
  EXPECT_EQ(outcome.results[1].outcome(), "passed");
  EXPECT_EQ(outcome.results[2].outcome(), "extraction");  // it is empty
  EXPECT_EQ(outcome.results[3].outcome(), "no_answer");
  // The log is such a file itself.
  const Answers again(folder.path("eval.jsonl"));
  ASSERT_NE(again.find("task0", false, 1), nullptr);
  EXPECT_EQ(*again.find("task0", false, 1), kRight);
}

TEST(Evaluate, MakesAnswersWholeOnce) {
  const base::ScratchFolder folder;
  const Json short_form = "y = x";
  base::write_file_atomically(folder.path("answers.jsonl"), "{\"id\":\"task0\",\"text\":" + short_form.dump() + "}\n");
  Bench bench([](const generate::GenerateRequest&, int) { return std::string(); });
  EvaluateTools tools = bench.tools();
  tools.restore = [](const EvaluationTask&, const std::string& text) { return "whole: " + text; };
  const auto texts_of = [&](const std::filesystem::path& from, const std::filesystem::path& log_path) {
    const Answers answers(from);
    tools.answers = &answers;
    ResultLog log(log_path, options_of(1), false);
    return evaluate(some_tasks(1), {.samples = 1}, tools, log).results.front().text;
  };
  EXPECT_EQ(texts_of(folder.path("answers.jsonl"), folder.path("eval.jsonl")), "whole: y = x");
  EXPECT_EQ(texts_of(folder.path("eval.jsonl"), folder.path("again.jsonl")), "whole: y = x");
}

TEST(Evaluate, NamesTheLineThatIsNoAnswer) {
  const base::ScratchFolder folder;
  for (const std::string line :
       {"answer", "[]", "{\"text\":\"a\"}", "{\"id\":\"a\"}", "{\"id\":1,\"text\":\"a\"}",
        "{\"id\":\"a\",\"text\":\"a\",\"index\":-1}", "{\"id\":\"a\",\"text\":\"a\",\"index\":0}",
        "{\"id\":\"a\",\"text\":\"a\",\"greedy\":1}"}) {
    base::write_file_atomically(folder.path("answers.jsonl"), "{\"id\":\"a\",\"text\":\"a\"}\n" + line + "\n");
    try {
      const Answers answers(folder.path("answers.jsonl"));
      ADD_FAILURE() << line;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("answers.jsonl:2: "), std::string::npos) << error.what();
    }
  }
  base::write_file_atomically(folder.path("answers.jsonl"), "\n");
  EXPECT_THROW(Answers(folder.path("answers.jsonl")), base::UserError);
}

TEST(Evaluate, RefusesWhatMakesNoSense) {
  const base::ScratchFolder folder;
  ResultLog log(folder.path("eval.jsonl"), options_of(1), false);
  Bench bench([](const generate::GenerateRequest&, int) { return kRight; });
  EvaluateTools tools = bench.tools();
  EXPECT_THROW(evaluate(some_tasks(1), {.samples = 0}, tools, log), base::UserError);
  tools.sampling.temperature = 0;
  EXPECT_THROW(evaluate(some_tasks(1), {.samples = 2}, tools, log), base::UserError);
}

}  // namespace
}  // namespace tritonrl::evaluate
