#include "evaluate/kernelbench_files.h"

#include <map>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "data/tasks/kernelbench.h"
#include "evaluate/metrics.h"

namespace tritonrl::evaluate {
namespace {

namespace fs = std::filesystem;
using base::Json;

Json milliseconds(const std::optional<double>& us) {
  return us ? Json(*us / 1000) : Json(-1.0);
}

Json entry_of(const SampleResult& result, int sample) {
  Json metadata = {{"kind", to_string(result.kind)}, {"judge_version", result.judge_version}};
  if (!result.rule.empty()) metadata["rule"] = result.rule;
  if (!result.message.empty()) metadata["message"] = result.message;
  Json stats = Json::object();
  if (result.candidate_us) {
    stats["mean"] = *result.candidate_us / 1000;
    stats["hardware"] = result.measured ? "measured" : "modelled";
  }
  return {{"sample_id", sample},
          {"compiled", result.compiled()},
          {"correctness", result.correct()},
          {"metadata", std::move(metadata)},
          {"runtime", milliseconds(result.candidate_us)},
          {"runtime_stats", std::move(stats)}};
}

struct Level {
  std::map<std::int64_t, Json> answers;  // by the problem's number
  Json baseline = Json::object();
  std::vector<TaskResult> tasks;
};

}  // namespace

std::vector<fs::path> write_kernelbench_files(const fs::path& folder, const std::string& name,
                                              std::span<const SampleResult> results) {
  std::map<std::string, Level> levels;
  for (const TaskResult& task : by_task(results)) {
    const std::optional<data::BenchmarkPlace> place = data::benchmark_place(task.first->id + ".py");
    if (!place || !task.first->judged()) continue;
    Level& level = levels["level" + std::to_string(place->level)];
    level.tasks.push_back(task);
    Json& answers = level.answers[place->problem];
    answers = Json::array();
    int sample = 0;
    answers.push_back(entry_of(*task.first, sample++));
    std::optional<double> baseline = task.first->baseline_us;
    for (const SampleResult* one : task.samples) {
      if (one != task.first && one->judged()) answers.push_back(entry_of(*one, sample++));
      if (!baseline) baseline = one->baseline_us;
    }
    level.baseline[place->name + ".py"] = {{"mean", milliseconds(baseline)}};
  }
  if (levels.empty())
    throw base::UserError("eval", "--kernelbench-results: no task is one of KernelBench's; name a checkout by --tasks");
  std::vector<fs::path> out;
  const auto write = [&](const fs::path& path, const Json& json) {
    fs::create_directories(path.parent_path());
    base::write_file_atomically(path, json.dump(1) + "\n");
    out.push_back(path);
  };
  Json baselines = Json::object();
  for (const auto& [level, of] : levels) {
    const fs::path run = folder / (name + "_" + level);
    Json answers = Json::object();
    for (const auto& [number, entries] : of.answers) answers[std::to_string(number)] = entries;
    write(run / "eval_results.json", answers);
    const Json metrics = metrics_of(of.tasks);
    write(run / "metrics.json", metrics);
    Json averages = Json::object();
    for (const Json::Member& member : metrics.items()) {
      if (member.name.starts_with("pass@") && member.value.is_number()) averages["avg_" + member.name] = member.value;
    }
    write(run / "pass_at_k_results.json",
          {{"metadata", {{"total_problems", of.tasks.size()}}}, {"averages", std::move(averages)}});
    baselines[level] = of.baseline;
  }
  write(folder / (name + "_baseline.json"), baselines);
  return out;
}

}  // namespace tritonrl::evaluate
