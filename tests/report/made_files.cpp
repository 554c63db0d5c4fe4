#include "tests/report/made_files.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/fields.h"
#include "base/files.h"
#include "base/json.h"
#include "base/statistics.h"
#include "record/run_manifest.h"
#include "record/sample_result.h"
#include "tests/paths.h"
#include "track/ledger.h"
#include "track/metrics_file.h"

namespace tritonrl::report::testing {
namespace {

namespace fs = std::filesystem;
using base::Json;
using record::Stage;
using record::VerdictKind;

constexpr const char* kKernels[] = {"softmax", "rmsnorm", "swiglu", "layernorm", "relu_bias", "matmul_gelu"};

// Numbers in [0, 1) that are the same everywhere.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  double next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 33) / static_cast<double>(1ull << 31);
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() * static_cast<double>(count)); }

 private:
  std::uint64_t state_;
};

std::string answer_of(const std::string& kernel, const std::string& hostile) {
  return "Here it is.\n```python\n" + base::read_file(source_path("examples/kernels/" + kernel + ".py")) +
         (hostile.empty() ? "" : "# " + hostile + "\n") + "```\n";
}

struct Ending {
  VerdictKind kind;
  Stage stage;
  const char* rule;
  double reward;
  const char* message;
};
constexpr Ending kFailures[] = {
    {VerdictKind::kWrong, Stage::kTiny, "", 0.35, "wrong at 17 of 64 places: expected 0.4821, got 0.0"},
    {VerdictKind::kWrong, Stage::kFull, "fails_off_shape", 0.6, "right at the task's own sizes, wrong at [3, 1000]"},
    {VerdictKind::kCompileError, Stage::kCompile, "", 0.1, "line 14: name 'BLOCK' is not defined"},
    {VerdictKind::kInvalid, Stage::kAst, "no_kernel", 0, "the file launches no Triton kernel"},
    {VerdictKind::kCheated, Stage::kCompile, "work", 0, "torch does the products of the reference; its kernels copy"},
    {VerdictKind::kNoCode, Stage::kExtract, "", 0, "no fenced block"},
    {VerdictKind::kTimeout, Stage::kTiny, "", 0.3, "not done after 10 s"}};

record::Verdict verdict_of(Draws& draws, double skill, const std::string& hostile) {
  record::Verdict verdict;
  verdict.judge_version = "12";
  if (draws.next() < skill) {
    verdict.kind = VerdictKind::kPassed;
    verdict.stage = Stage::kTiming;
    record::Timing& timing = verdict.timing.emplace();
    timing.speedup = std::exp(1.6 * (draws.next() + draws.next() + draws.next() - 1.4));
    timing.reference_us = 105.2;
    timing.candidate_us = timing.reference_us / timing.speedup;
    timing.target = "h200";
    verdict.reward = 0.7 + 0.3 * std::min(timing.speedup / 2, 1.0);
    verdict.work_share = 0.5 + draws.next() / 2;
    return verdict;
  }
  const Ending& ending = kFailures[draws.below(std::size(kFailures))];
  verdict.kind = ending.kind;
  verdict.stage = ending.stage;
  verdict.rule = ending.rule;
  verdict.reward = ending.reward;
  verdict.message = ending.message + hostile;
  if (ending.kind == VerdictKind::kWrong) {
    verdict.at = record::SourcePlace{.file = "answer.py", .line = 14, .code = "x = tl.load(x_ptr + offsets)" + hostile};
    verdict.expected = "0.4821";
    verdict.got = "0.0" + hostile;
    verdict.advice = "mask the load: offsets run beyond the row" + hostile;
  }
  return verdict;
}

void write_manifest(const fs::path& folder, record::RunManifest manifest, bool finished) {
  manifest.versions = {.program = "0.1", .torch = "2.13.0", .judge = "12"};
  manifest.started = "2026-11-18T10:00:00Z";
  if (finished) manifest.finished = "2026-11-18T11:30:00Z";
  base::write_file_atomically(folder / "manifest.json", record::to_json(manifest));
}

}  // namespace

void make_rl_run(const fs::path& folder, const MadeRun& made) {
  fs::create_directories(folder);
  record::RunManifest manifest;
  manifest.name = made.name + made.hostile;
  manifest.command = {"tritonrl", "rl", "--rounds", std::to_string(made.rounds) + made.hostile};
  manifest.options = {
      {"method", "grpo"},
      {"seed", made.seed},
      {"curriculum", {{"enable_adaptive_curriculum", made.curriculum}, {"curriculum_trigger_threshold", 0.4}}}};
  manifest.data = {{"tasks.jsonl" + made.hostile, "5f1d"}};
  write_manifest(folder, manifest, made.finished);

  Draws draws(made.seed);
  track::MetricsFile metrics(folder / "metrics.jsonl", -1);
  track::Ledger ledger(folder / "ledger.sqlite");
  double moving = 0.3, share = 0.1;
  for (int round = 1; round <= made.rounds; ++round) {
    const double skill = 0.3 + 0.45 * round / made.rounds;
    std::vector<track::DrawnTask> tasks(4);
    for (std::size_t place = 0; place < tasks.size(); ++place) {
      const std::string kernel = kKernels[draws.below(std::size(kKernels))];
      tasks[place].task.id = "made/" + kernel + made.hostile;
      tasks[place].task.source = base::read_file(source_path("examples/tasks/" + kernel + ".py"));
      tasks[place].level = draws.next() < share ? 2 : 1;
    }
    ledger.begin_round(round, {{"level2_share", share}}, tasks);
    track::Values values;
    std::map<std::string, double> counts;
    std::vector<track::Decision> decisions;
    double reward = 0, correct = 0;
    constexpr int kAnswers = 4;
    for (std::size_t place = 0; place < tasks.size(); ++place) {
      const auto at = static_cast<std::int64_t>(place);
      const std::string kernel = tasks[place].task.id.substr(5, tasks[place].task.id.size() - 5 - made.hostile.size());
      std::vector<track::LedgerSample> samples(kAnswers);
      for (int index = 0; index < kAnswers; ++index) {
        samples[static_cast<std::size_t>(index)].sample.index = index;
        samples[static_cast<std::size_t>(index)].answer = answer_of(kernel, made.hostile);
        samples[static_cast<std::size_t>(index)].program = std::to_string(draws.below(1000));
      }
      ledger.add_samples(round, at, std::vector(1, samples));
      for (int index = 0; index < kAnswers; ++index) {
        const record::Verdict verdict = verdict_of(draws, skill, made.hostile);
        ledger.add_verdict(std::vector<track::SampleKey>{{round, at, index}}, verdict);
        reward += *verdict.reward;
        const bool right = verdict.kind == VerdictKind::kPassed;
        correct += right ? 1 : 0;
        ++counts["kind/" + std::string(to_string(verdict.kind))];
        if (!verdict.rule.empty()) ++counts["rule/" + verdict.rule + made.hostile];
        const bool odd = right && verdict.timing->speedup > 3.5;
        decisions.push_back({.key = {round, at, index},
                             .what = right ? "reinforced" : "below_floor",
                             .weight = right ? 1.0 : 0.0,
                             .why = (odd ? "far faster than the round's median" : "") + made.hostile,
                             .suspicious = odd});
      }
    }
    constexpr double kAll = 16;
    moving = 0.8 * moving + 0.2 * correct / kAll;
    if (made.curriculum && moving > 0.4) share = std::min(0.5, share + 0.05);
    values = {{"reward_mean", reward / kAll},
              {"valid_rate", std::min(1.0, correct / kAll + 0.3)},
              {"compiled_rate", std::min(1.0, correct / kAll + 0.2)},
              {"correct_rate", correct / kAll},
              {"level2_share", share},
              {"level1_accuracy", moving},
              {"loss", 0.4 - 0.2 * round / made.rounds + 0.05 * draws.next()},
              {"gradient_norm", 0.5 + 0.3 * draws.next()},
              {"gap_mean", 0.002 * draws.next()},
              {"seconds_generate", 40 + 5 * draws.next()},
              {"seconds_judge", 60 + 9 * draws.next()},
              {"seconds_train", 20 + draws.next()}};
    for (const auto& [name, count] : counts) values.emplace_back(name, count);
    metrics.write({.step = round, .values = values});
    ledger.finish_round(round, {{"correct_rate", correct / kAll}}, decisions);
  }
}

void make_sft_run(const fs::path& folder, int steps) {
  fs::create_directories(folder);
  record::RunManifest manifest;
  manifest.name = "sft";
  manifest.command = {"tritonrl", "sft", "--model", "models/embedded"};
  manifest.options = {{"lora", {{"rank", 16}}}};
  write_manifest(folder, manifest, /*finished=*/true);
  Draws draws(7);
  track::MetricsFile metrics(folder / "metrics.jsonl", -1);
  for (int step = 1; step <= steps; ++step) {
    const double part = static_cast<double>(step) / steps;
    metrics.write({.step = step,
                   .values = {{"loss", 0.3 + 2.2 * std::exp(-5 * part) + 0.25 * draws.next()},
                              {"gradient_norm", 0.4 + 0.4 * draws.next()},
                              {"learning_rate", 2e-4 * (1 - part)},
                              {"tokens_per_second", 21000 + 900 * draws.next()},
                              {"seconds", 1.7 * step}}});
  }
}

void make_evaluation(const fs::path& file, const MadeEvaluation& made) {
  Draws draws(3);
  Json::Array results;
  std::int64_t correct[3] = {}, tasks[3] = {};
  for (int i = 0; i < made.tasks; ++i) {
    const int level = 1 + i % 2;
    record::SampleResult result;
    Draws own(static_cast<std::uint64_t>(i) * 31 + static_cast<std::uint64_t>(made.skill * 1000));
    own.next();
    // tasks are as hard for everybody
    const record::Verdict verdict = verdict_of(own, draws.next() < made.skill ? 0.95 : 0.05, made.hostile);
    result.take(verdict);
    result.id = "kernelbench/level" + std::to_string(level) + "/" + std::to_string(i) + "_Made" + made.hostile;
    result.level = level;
    result.text = answer_of(kKernels[static_cast<std::size_t>(i) % std::size(kKernels)], made.hostile);
    result.program = std::to_string(i);
    ++tasks[level], ++tasks[0];
    if (result.correct()) ++correct[level], ++correct[0];
    results.push_back(base::to_json(result));
  }
  const auto metrics_of = [&](int group) {
    const auto count = static_cast<double>(correct[group]);
    const base::Interval interval = base::wilson_interval(count, tasks[group]);
    Json out = {{"num_tasks", tasks[group]},
                {"not_judged", 0},
                {"unjudged", 0},
                {"rates_of", "first sample"},
                {"correct_rate", count / static_cast<double>(tasks[group])}};
    out["intervals"] = Json{{"correct_rate", Json::array({interval.low, interval.high})}};
    out["geometric_mean_speedup"] = 1.1;
    out["outcomes"] = Json::object();
    return out;
  };
  Json metrics = metrics_of(0);
  metrics["per_level"] = Json{{"1", metrics_of(1)}, {"2", metrics_of(2)}};
  const Json out = {{"model_path", made.model + made.hostile},
                    {"adapter_path", ""},
                    {"num_tasks", made.tasks},
                    {"timing", "modelled"},
                    {"judge_version", "12"},
                    {"metrics", metrics},
                    {"options", Json{{"judge", Json{{"policy", "kernelbench"}}}}},
                    {"detailed_results", results}};
  base::make_folder_of(file);
  base::write_file_atomically(file, out.dump());
}

}  // namespace tritonrl::report::testing
