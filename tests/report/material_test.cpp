#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "report/material/evaluation.h"
#include "report/material/run.h"
#include "report/page/page.h"
#include "report/report.h"
#include "tests/base/scratch_folder.h"
#include "tests/report/made_files.h"

namespace tritonrl::report {
namespace {

using record::Stage;
using record::VerdictKind;

Answer answer(const std::string& task, VerdictKind kind, Stage stage, double speedup = 0) {
  Answer out;
  out.result.id = task;
  out.result.kind = kind;
  out.result.stage = stage;
  if (record::is_judged(kind)) out.result.reward = 0.5;
  if (speedup > 0) out.result.speedup = speedup;
  out.result.text = "code of " + task;
  return out;
}

// What `work` throws as a UserError; empty: nothing.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

TEST(AnswerTally, CountsHowFarEachCame) {
  AnswerTally tally;
  tally.add(answer("a", VerdictKind::kNoCode, Stage::kExtract));
  tally.add(answer("b", VerdictKind::kInvalid, Stage::kAst));
  tally.add(answer("c", VerdictKind::kCheated, Stage::kFull));
  tally.add(answer("d", VerdictKind::kCompileError, Stage::kCompile));
  tally.add(answer("e", VerdictKind::kWrong, Stage::kTiny));
  tally.add(answer("f", VerdictKind::kWrong, Stage::kFull));
  tally.add(answer("g", VerdictKind::kPassed, Stage::kTiming, 0.5));
  tally.add(answer("h", VerdictKind::kPassed, Stage::kTiming, 2));
  tally.add(answer("i", VerdictKind::kInfrastructure, Stage::kTiny));
  const AnswerTally::Funnel& funnel = tally.funnel();
  EXPECT_EQ(funnel.judged, 8);
  EXPECT_EQ(funnel.with_code, 7);
  EXPECT_EQ(funnel.valid, 5);
  EXPECT_EQ(funnel.compiled, 4);
  EXPECT_EQ(funnel.tiny, 3);
  EXPECT_EQ(funnel.correct, 2);
  EXPECT_EQ(funnel.faster, 1);
  EXPECT_EQ(tally.unjudged(), 1);
  EXPECT_EQ(tally.failures().at("wrong").count, 2);
  EXPECT_EQ(tally.speedups(), (std::vector<double>{0.5, 2}));
}

TEST(AnswerTally, KeepsTheFastestAndSlowestOneATask) {
  AnswerTally tally;
  for (const double speedup : {3.0, 1.0, 5.0, 4.0})
    tally.add(answer("a", VerdictKind::kPassed, Stage::kTiming, speedup));
  for (int i = 0; i < 100; ++i)
    tally.add(answer("t" + std::to_string(i), VerdictKind::kPassed, Stage::kTiming, 0.1 + i / 50.0));
  ASSERT_EQ(tally.fastest().size(), 3u);
  EXPECT_EQ(tally.fastest()[0].result.id, "a");
  EXPECT_EQ(tally.fastest()[0].result.speedup, 5);
  EXPECT_EQ(tally.fastest()[1].result.id, "t99");
  EXPECT_EQ(tally.fastest()[2].result.id, "t98");
  ASSERT_EQ(tally.slowest().size(), 2u);
  EXPECT_EQ(tally.slowest()[0].result.id, "t0");
}

TEST(Run, ReadsAllThatIsThere) {
  const base::ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path("runs/grpo");
  testing::make_rl_run(folder, {.rounds = 6});
  const report::Run run = read_run(folder);
  EXPECT_EQ(run.name, "grpo");
  EXPECT_EQ(run.stage, "rl");
  ASSERT_TRUE(run.answers);
  EXPECT_EQ(run.answers->funnel().judged, 6 * 16);
  ASSERT_NE(run.find("correct_rate"), nullptr);
  EXPECT_EQ(run.find("correct_rate")->size(), 6u);
  EXPECT_EQ(run.find("nothing"), nullptr);
  // the ledger's answers are those that the metrics are of
  double correct = 0;
  for (const Point& point : *run.find("correct_rate")) correct += 16 * point.second;
  EXPECT_EQ(run.answers->funnel().correct, static_cast<std::int64_t>(correct + 0.5));
  const std::optional<RunTime> time = time_of(run);
  ASSERT_TRUE(time);
  EXPECT_EQ(time->source, "the sum of its rounds");
  EXPECT_EQ(read_run(folder.string() + "/").name, "grpo");
}

TEST(Run, GivesThePartsThatExist) {
  const base::ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path("sft");
  testing::make_sft_run(folder, 20);
  report::Run run = read_run(folder);
  EXPECT_EQ(run.stage, "sft");
  EXPECT_FALSE(run.answers);
  EXPECT_EQ(time_of(run)->seconds, 34);
  std::filesystem::remove(folder / "metrics.jsonl");
  run = read_run(folder);
  EXPECT_TRUE(run.metrics.empty());
  EXPECT_EQ(time_of(run)->seconds, 5400);
  EXPECT_EQ(time_of(run)->source, "from start to end");
  base::write_file_atomically(folder / "metrics.jsonl", "{\"step\":1,\"loss\":null}\n{\"step\":2,\"lo");
  std::filesystem::remove(folder / "manifest.json");
  run = read_run(folder);
  EXPECT_FALSE(run.last("loss"));
  EXPECT_FALSE(run.late("loss"));
  EXPECT_FALSE(time_of(run));
}

TEST(Run, SaysWhatMustBeFixed) {
  const base::ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path("run");
  EXPECT_NE(refusal([&] { read_run(folder); }).find("there is no such folder"), std::string::npos);
  std::filesystem::create_directories(folder);
  EXPECT_NE(refusal([&] { read_run(folder); }).find("has no manifest.json, metrics.jsonl or ledger.sqlite"),
            std::string::npos);
  base::write_file_atomically(folder / "manifest.json", "{\"name\": 3}");
  EXPECT_NE(refusal([&] { read_run(folder); }).find("manifest.json: manifest: "), std::string::npos);
  std::filesystem::remove(folder / "manifest.json");
  base::write_file_atomically(folder / "metrics.jsonl", "{\"step\":1}\nnothing\n");
  EXPECT_NE(refusal([&] { read_run(folder); }).find("metrics.jsonl:2: is no JSON object"), std::string::npos);
  std::filesystem::remove(folder / "metrics.jsonl");
  base::write_file_atomically(folder / "ledger.sqlite", std::string(5000, 'x'));
  EXPECT_NE(refusal([&] { read_run(folder); }).find("ledger.sqlite: "), std::string::npos);
}

TEST(Run, TheEndIsItsLastTenth) {
  report::Run run{.name = "r", .folder = {}, .stage = {}, .manifest = {}, .metrics = {{"loss", {}}}, .answers = {}};
  for (int i = 1; i <= 20; ++i) run.metrics[0].points.emplace_back(i, i);
  EXPECT_EQ(run.late("loss"), 19.5);
  run.metrics[0].points.emplace_back(21, NAN);
  EXPECT_EQ(run.late("loss"), 19.5);
  EXPECT_EQ(run.last("loss"), 20);
}

TEST(Evaluation, ReadsWhatEvalWrote) {
  const base::ScratchFolder scratch;
  const std::filesystem::path file = scratch.path("outputs/eval_rl.json");
  testing::make_evaluation(file, {.tasks = 20});
  const Evaluation evaluation = read_evaluation(file);
  EXPECT_EQ(evaluation.name, "rl");
  EXPECT_EQ(evaluation.answers.funnel().judged, 20);
  const auto rate = Evaluation::number(evaluation.metrics(), "correct_rate");
  ASSERT_TRUE(rate);
  EXPECT_EQ(evaluation.answers.funnel().correct, static_cast<std::int64_t>(*rate * 20 + 0.5));
}

// Whatever is put in the place of a value, there is a page or a UserError.
TEST(Evaluation, DamagedFilesAreRefusedOrRead) {
  const base::ScratchFolder scratch;
  const std::filesystem::path file = scratch.path("eval.json");
  EXPECT_NE(refusal([&] { read_evaluation(file); }), "");
  for (const char* text : {"", "[]", "{}", "{\"metrics\": 3}", "null"}) {
    base::write_file_atomically(file, text);
    EXPECT_NE(refusal([&] { read_evaluation(file); }), "") << text;
  }
  testing::make_evaluation(file, {.tasks = 2});
  const std::string text = base::read_file(file);
  int refused = 0;
  const std::pair<const char*, const char*> damages[] = {
      {"\"correct_rate\":", "\"correct_rate\":\"x\",\"y\":"},
      {"\"intervals\":", "\"intervals\":[],\"y\":"},
      {"\"per_level\":", "\"per_level\":7,\"y\":"},
      {"\"model_path\":", "\"model_path\":7,\"y\":"},
      {"\"judge_version\":", "\"judge_version\":{},\"y\":"},
      {"\"timing\":", "\"timing\":7,\"y\":"},
      {"\"options\":", "\"options\":7,\"y\":"},
      {"\"detailed_results\":", "\"detailed_results\":7,\"y\":"},
      {"\"num_tasks\":", "\"num_tasks\":\"x\",\"y\":"},
      {"\"not_judged\":", "\"not_judged\":\"x\",\"y\":"},
      {"\"geometric_mean_speedup\":", "\"geometric_mean_speedup\":[],\"y\":"}};
  for (const auto& [from, to] : damages) {
    std::string damaged = text;
    const std::size_t at = damaged.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    damaged.replace(at, std::string(from).size(), to);
    base::write_file_atomically(file, damaged);
    refused += refusal([&] { html_page(make_report({.evaluations = {file, file}})); }).empty() ? 0 : 1;
  }
  EXPECT_GE(refused, 6);
}

}  // namespace
}  // namespace tritonrl::report
