#include "evaluate/metrics.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/statistics.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

constexpr int kPassAt[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
constexpr std::pair<const char*, double> kFast[] = {{"fast_1", 1.0}, {"fast_1.2", 1.2}, {"fast_2", 2.0}};

// Puts a rate and its interval; null where there is nothing to have a rate.
void put_rate(Json& out, const std::string& name, double successes, std::int64_t trials) {
  out[name] = trials > 0 ? Json(successes / static_cast<double>(trials)) : Json();
  const base::Interval interval = base::wilson_interval(successes, trials);
  out["intervals"][name] = trials > 0 ? Json::array({interval.low, interval.high}) : Json();
}

void put_speedups(Json& out, const std::vector<double>& speedups) {
  const bool any = !speedups.empty();
  out["geometric_mean_speedup"] = any ? Json(base::geometric_mean(speedups)) : Json();
  out["mean_speedup"] = any ? Json(base::mean(speedups)) : Json();
  out["median_speedup"] = any ? Json(base::median(speedups)) : Json();
  out["timed"] = speedups.size();
}

// Rates of one answer a task: the first, or the best.
void put_answer_rates(Json& out, const std::vector<const SampleResult*>& answers) {
  const auto trials = static_cast<std::int64_t>(answers.size());
  const auto count = [&](const auto& holds) {
    return static_cast<double>(
        std::count_if(answers.begin(), answers.end(), [&](const SampleResult* a) { return holds(*a); }));
  };
  put_rate(out, "valid_rate", count([](const SampleResult& a) { return a.valid(); }), trials);
  put_rate(out, "compiled_rate", count([](const SampleResult& a) { return a.compiled(); }), trials);
  put_rate(out, "correct_rate", count([](const SampleResult& a) { return a.correct(); }), trials);
  std::vector<double> speedups;
  double correct = 0;
  for (const SampleResult* answer : answers) {
    correct += answer->correct() ? 1 : 0;
    if (answer->correct() && answer->speedup && *answer->speedup > 0) speedups.push_back(*answer->speedup);
  }
  // right answers that nobody timed are neither fast nor slow
  const bool timed = correct == 0 || !speedups.empty();
  for (const auto& [name, factor] : kFast) {
    put_rate(out, name, count([factor = factor](const SampleResult& a) { return a.faster_than(factor); }),
             timed ? trials : 0);
  }
  put_speedups(out, speedups);
}

const SampleResult* best_of(const std::vector<const SampleResult*>& samples) {
  const auto worth = [](const SampleResult* sample) {
    return std::tuple(sample->correct(), sample->speedup.value_or(0), sample->compiled(), sample->valid());
  };
  return *std::max_element(samples.begin(), samples.end(),
                           [&](const SampleResult* a, const SampleResult* b) { return worth(a) < worth(b); });
}

std::vector<const SampleResult*> judged(const std::vector<const SampleResult*>& samples) {
  std::vector<const SampleResult*> out;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(out),
               [](const SampleResult* s) { return s->judged(); });
  return out;
}

// Tasks that have k samples which could be judged.
void put_pass_at(Json& out, std::span<const TaskResult> tasks) {
  std::size_t most = 0;
  for (const TaskResult& task : tasks) most = std::max(most, task.samples.size());
  std::set<int> wanted{static_cast<int>(most)};
  for (const int k : kPassAt) {
    if (k <= static_cast<int>(most)) wanted.insert(k);
  }
  wanted.erase(0);
  for (const int k : wanted) {
    double sum = 0;
    std::int64_t counted = 0;
    for (const TaskResult& task : tasks) {
      const std::vector<const SampleResult*> samples = judged(task.samples);
      const auto n = static_cast<int>(samples.size());
      if (n < k) continue;
      const auto correct =
          std::count_if(samples.begin(), samples.end(), [](const SampleResult* s) { return s->correct(); });
      sum += base::pass_at_k(n, static_cast<int>(correct), k);
      ++counted;
    }
    put_rate(out, "pass@" + std::to_string(k), std::min(sum, static_cast<double>(counted)), counted);
  }
}

// How different the samples of a task are: programs that differ in more than layout and comments.
void put_distinct(Json& out, std::span<const TaskResult> tasks) {
  std::vector<double> all, right;
  for (const TaskResult& task : tasks) {
    if (task.samples.size() < 2) continue;
    std::set<std::string> programs, correct;
    for (const SampleResult* sample : task.samples) {
      if (!sample->program.empty()) programs.insert(sample->program);
      if (sample->correct()) correct.insert(sample->program);
    }
    all.push_back(static_cast<double>(programs.size()));
    right.push_back(static_cast<double>(correct.size()));
  }
  if (all.empty()) return;
  out["distinct_programs"] = base::mean(all);
  out["distinct_correct_programs"] = base::mean(right);
}

Json counted(const std::vector<std::string>& names) {
  std::map<std::string, std::int64_t> counts;
  for (const std::string& name : names) ++counts[name];
  return counts;
}

void put_outcomes(Json& out, std::span<const TaskResult> tasks) {
  std::vector<std::string> first, all;
  std::int64_t cut = 0;
  for (const TaskResult& task : tasks) {
    std::vector<const SampleResult*> answers = task.samples;
    if (task.first->greedy) answers.push_back(task.first);
    first.push_back(task.first->outcome());
    for (const SampleResult* answer : answers) {
      all.push_back(answer->outcome());
      cut += answer->finish == record::name_of(record::FinishReason::kLength) ? 1 : 0;
    }
  }
  out["outcomes"] = counted(first);
  out["outcomes_of_all_answers"] = counted(all);
  out["cut_off"] = cut;  // answers that ended at the most tokens
}

}  // namespace

Json metrics_of(std::span<const TaskResult> tasks) {
  Json out = Json::object();
  std::vector<const SampleResult*> first, best;
  std::size_t most = 0;
  for (const TaskResult& task : tasks) {
    if (task.first->judged()) first.push_back(task.first);
    const std::vector<const SampleResult*> samples = judged(task.samples);
    if (!samples.empty()) best.push_back(best_of(samples));
    most = std::max(most, task.samples.size());
  }
  out["num_tasks"] = tasks.size();
  out["not_judged"] = tasks.size() - first.size();
  out["unjudged"] = std::count_if(tasks.begin(), tasks.end(), [](const TaskResult& task) {
    return task.first->kind == record::VerdictKind::kUnjudged;
  });
  out["rates_of"] = !tasks.empty() && tasks.front().first->greedy ? "greedy answer" : "first sample";
  put_answer_rates(out, first);
  put_pass_at(out, tasks);
  if (most > 1) {
    Json best_rates = Json::object();
    put_answer_rates(best_rates, best);
    out["best_of_samples"] = best_rates;
  }
  put_distinct(out, tasks);
  put_outcomes(out, tasks);
  return out;
}

Json evaluation_metrics(std::span<const SampleResult> results) {
  const std::vector<TaskResult> all = by_task(results);
  std::vector<TaskResult> sound, degenerate;
  std::map<int, std::vector<TaskResult>> levels;
  for (const TaskResult& task : all) {
    (task.degenerate ? degenerate : sound).push_back(task);
    if (!task.degenerate) levels[task.first->level].push_back(task);
  }
  Json out = metrics_of(sound);
  out["per_level"] = Json::object();
  for (const auto& [level, tasks] : levels) out["per_level"][std::to_string(level)] = metrics_of(tasks);
  if (!degenerate.empty()) {
    out["degenerate"] = metrics_of(degenerate);
    out["with_degenerate"] = metrics_of(all);
  }
  return out;
}

std::string timing_of(std::span<const SampleResult> results) {
  bool measured = false, modelled = false;
  for (const SampleResult& result : results) {
    if (!result.speedup) continue;
    (result.measured ? measured : modelled) = true;
  }
  return measured && modelled ? "mixed" : measured ? "measured" : modelled ? "modelled" : "none";
}

}  // namespace tritonrl::evaluate
