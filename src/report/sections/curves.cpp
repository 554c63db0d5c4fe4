#include <algorithm>
#include <cmath>
#include <set>

#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

// Metrics that belong into one picture.
struct Group {
  const char* title;
  std::vector<const char*> metrics;
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
       .metrics = {"correct_level1", "correct_level2"},
       .share = true,
       .noisy = true},
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
  static const std::set<std::string> names = {"level2_share", "level1_accuracy", "seconds",         "tokens",
                                              "examples",     "left_out",        "labelled_tokens", "flops_per_second",
                                              "memory_bytes", "suspicious"};
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

std::string x_label_of(const Material& material) {
  const auto is_rl = [](const Run& run) { return run.answers || run.find("reward_mean") != nullptr; };
  const auto count = std::count_if(material.runs.begin(), material.runs.end(), is_rl);
  return count == 0 ? "step" : count == static_cast<std::ptrdiff_t>(material.runs.size()) ? "round" : "step, or round";
}

void add_chart(Charts& charts, LineChart chart, bool share) {
  std::erase_if(chart.curves, [](const Curve& curve) { return !has_values(curve); });
  if (chart.curves.empty()) return;
  chart.percent = share && are_shares(chart.curves);
  charts.charts.emplace_back(std::move(chart));
}

}  // namespace

Section curves_section(const Material& material) {
  Section section{.id = "curves", .title = "Curves", .blocks = {}};
  Charts charts;
  const std::string x_label = x_label_of(material);
  const auto with_metrics =
      std::count_if(material.runs.begin(), material.runs.end(), [](const Run& run) { return !run.metrics.empty(); });
  std::set<std::string> known;
  // of one run what belongs together is one picture; of several each value is one, with a curve a run
  const auto add = [&](const std::string& title, const std::vector<std::string>& metrics, bool share, bool noisy) {
    LineChart together{.title = title, .x_label = x_label, .curves = {}, .smooth = noisy};
    for (const std::string& metric : metrics) {
      known.insert(metric);
      LineChart own{.title = metrics.size() > 1 ? title + ": " + metric : title,
                    .x_label = x_label,
                    .curves = {},
                    .smooth = noisy};
      for (const Run& run : material.runs) {
        if (const std::vector<Point>* points = run.find(metric))
          (with_metrics > 1 ? own : together)
              .curves.push_back({.name = with_metrics > 1 ? run.name : metric, .points = *points});
      }
      add_chart(charts, std::move(own), share);
    }
    add_chart(charts, std::move(together), share);
  };
  for (const Group& group : groups())
    add(group.title, {group.metrics.begin(), group.metrics.end()}, group.share, group.noisy);
  for (const Run& run : material.runs) {
    for (const Curve& curve : run.metrics) {
      if (!known.contains(curve.name) && !is_elsewhere(curve.name))
        add(curve.name, {curve.name}, /*share=*/false, /*noisy=*/true);
    }
  }
  if (charts.charts.empty()) return section;
  section.blocks.emplace_back(std::move(charts));
  section.blocks.emplace_back(
      Paragraph{"Where a curve is noisy, the faint line is what was measured and the strong one the mean of "
                "its neighbours, a twelfth of the run wide."});
  return section;
}

}  // namespace tritonrl::report
