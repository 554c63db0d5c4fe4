#include <algorithm>
#include <cmath>
#include <set>

#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

// Metrics that belong into one picture.
struct Group {
  std::string title;
  std::vector<std::string> metrics;
  bool share = false;
  bool noisy = false;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {.title = "Loss", .metrics = {"loss"}, .noisy = true},
      {.title = "Mean reward", .metrics = {"reward_mean"}, .noisy = true},
      {.title = "Share of answers",
       .metrics = {"valid_rate", "compiled_rate", "correct_rate"},
       .share = true,
       .noisy = true},
      {.title = "Right answers by level",
       .metrics = {"correct_level1", "correct_level2", "correct_level3"},
       .share = true,
       .noisy = true},
      {.title = "Tasks solved, and answers cut off",
       .metrics = {"solved_rate", "cut_off_rate"},
       .share = true,
       .noisy = true},
      {.title = "Mean speed-up of right answers", .metrics = {"speedup_mean"}, .noisy = true},
      {.title = "Mean reward by the last stage",
       .metrics = {"stage_reward/extract", "stage_reward/ast", "stage_reward/compile", "stage_reward/tiny",
                   "stage_reward/full", "stage_reward/timing"}},
      {.title = "Different programs of a task", .metrics = {"distinct_programs", "distinct_correct_programs"}},
      {.title = "Answers learnt from", .metrics = {"kept"}},
      {.title = "Sampling against training, gap of log-probabilities", .metrics = {"gap_mean", "gap_max"}},
      {.title = "Divergence from the base (KL)", .metrics = {"kl"}},
      {.title = "Share of clipped tokens", .metrics = {"clipped"}, .share = true},
      {.title = "Norm of the gradient", .metrics = {"gradient_norm"}, .noisy = true},
      {.title = "Learning rate", .metrics = {"learning_rate"}},
      {.title = "Temperature of sampling", .metrics = {"temperature"}},
      {.title = "Seconds of a round", .metrics = {"seconds_generate", "seconds_judge", "seconds_train"}},
      {.title = "Tokens a second", .metrics = {"tokens_per_second"}, .noisy = true},
      {.title = "Share of the GPU's peak arithmetic", .metrics = {"mfu"}, .share = true},
  };
  return all;
}

// What other sections draw, or what is no curve that anybody reads.
bool is_elsewhere(const std::string& name) {
  static const std::set<std::string> names = {
      "level2_share",    "level1_accuracy",  "seconds",      "tokens",     "examples", "left_out",
      "labelled_tokens", "flops_per_second", "memory_bytes", "suspicious", "steps"};
  return names.contains(name) || name.rfind("kind/", 0) == 0 || name.rfind("rule/", 0) == 0;
}

bool are_shares(const std::vector<Curve>& curves) {
  return std::all_of(curves.begin(), curves.end(), [](const Curve& curve) {
    return std::all_of(curve.points.begin(), curve.points.end(), [](const Point& point) {
      return !std::isfinite(point.second) || (point.second >= 0 && point.second <= 1);
    });
  });
}

bool has_values(const Curve& curve) {
  return std::any_of(curve.points.begin(), curve.points.end(),
                     [](const Point& point) { return std::isfinite(point.second); });
}

// Runs whose steps mean the same.
struct Stage {
  std::string name;
  std::vector<const Run*> runs;

  std::string x_label() const {
    const bool rounds = std::any_of(runs.begin(), runs.end(),
                                    [](const Run* run) { return run->answers || run->find("reward_mean") != nullptr; });
    return rounds ? "round" : "step";
  }
};

std::vector<Stage> stages_of(const Material& material) {
  std::vector<Stage> out;
  for (const Run& run : material.runs) {
    if (run.metrics.empty()) continue;
    auto found = std::find_if(out.begin(), out.end(), [&](const Stage& stage) { return stage.name == run.stage; });
    if (found == out.end()) found = out.insert(out.end(), {.name = run.stage, .runs = {}});
    found->runs.push_back(&run);
  }
  return out;
}

void add_chart(Charts& charts, LineChart chart, bool share) {
  std::erase_if(chart.curves, [](const Curve& curve) { return !has_values(curve); });
  if (chart.curves.empty()) return;
  chart.percent = share && are_shares(chart.curves);
  charts.charts.emplace_back(std::move(chart));
}

// Of one run what belongs together is one picture; of several each value is one, with a curve a run.
void add_group(Charts& charts, const Stage& stage, const Group& group, const std::string& suffix) {
  const bool several = stage.runs.size() > 1;
  LineChart chart{.title = group.title + suffix, .x_label = stage.x_label(), .curves = {}, .smooth = group.noisy};
  for (const std::string& metric : group.metrics) {
    if (several) {
      chart.curves.clear();
      chart.title = group.title + (group.metrics.size() > 1 ? ": " + label_of(metric) : "") + suffix;
    }
    for (std::size_t i = 0; i < stage.runs.size(); ++i) {
      const std::vector<Point>* points = stage.runs[i]->find(metric);
      if (points == nullptr) continue;
      chart.curves.push_back({.name = several ? stage.runs[i]->name : label_of(metric),
                              .points = *points,
                              .colour = several ? static_cast<int>(i) : -1});
    }
    if (several) add_chart(charts, chart, group.share);
  }
  if (!several) add_chart(charts, std::move(chart), group.share);
}

// Values that no group names, one picture each; those of one family ("decision/kept") have one together.
std::vector<Group> further_groups(const Stage& stage) {
  std::set<std::string> known;
  for (const Group& group : groups()) known.insert(group.metrics.begin(), group.metrics.end());
  std::vector<Group> out;
  for (const Run* run : stage.runs) {
    for (const Curve& curve : run->metrics) {
      if (is_elsewhere(curve.name) || !known.insert(curve.name).second) continue;
      const std::size_t slash = curve.name.find('/');
      const std::string title = label_of(curve.name.substr(0, slash));
      const auto family = std::find_if(out.begin(), out.end(), [&](const Group& group) {
        return slash != std::string::npos && group.title == title;
      });
      if (family != out.end()) {
        family->metrics.push_back(curve.name);
      } else {
        out.push_back({.title = title, .metrics = {curve.name}, .noisy = true});
      }
    }
  }
  return out;
}

}  // namespace

Section curves_section(const Material& material) {
  Section section{.id = "curves", .title = "Curves", .blocks = {}};
  bool means = false;
  const std::vector<Stage> stages = stages_of(material);
  for (const Stage& stage : stages) {
    Charts charts;
    const std::string suffix = stages.size() > 1 && !stage.name.empty() ? ", " + stage.name : "";
    for (const Group& group : groups()) add_group(charts, stage, group, suffix);
    for (const Group& group : further_groups(stage)) add_group(charts, stage, group, suffix);
    for (const Chart& chart : charts.charts) means = means || draws_means(std::get<LineChart>(chart));
    if (!charts.charts.empty()) section.blocks.emplace_back(std::move(charts));
  }
  if (means)
    section.blocks.emplace_back(
        Paragraph{"Where a curve is noisy, the faint line is what was measured and the strong one the mean of its "
                  "neighbours, a twelfth of the run wide."});
  return section;
}

}  // namespace tritonrl::report
