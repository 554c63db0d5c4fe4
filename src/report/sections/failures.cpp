#include <algorithm>
#include <cmath>

#include "report/page/html_text.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

using Failure = std::pair<std::string, const AnswerTally::Outcome*>;
constexpr std::size_t kShownKinds = 12;

// The most frequent first.
std::vector<Failure> failures_of(const AnswerTally& tally) {
  std::vector<Failure> out;
  for (const auto& [name, outcome] : tally.failures()) out.emplace_back(name, &outcome);
  std::stable_sort(out.begin(), out.end(),
                   [](const Failure& a, const Failure& b) { return a.second->count > b.second->count; });
  return out;
}

BarChart bars_of(const std::string& name, const AnswerTally& tally, const std::vector<Failure>& failures) {
  BarChart chart{.title = name, .bars = {}};
  std::int64_t others = 0;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const auto& [kind, outcome] = failures[i];
    if (i >= kShownKinds) {
      others += outcome->count;
      continue;
    }
    chart.bars.push_back({.name = shortened(kind, 60),
                          .value = static_cast<double>(outcome->count),
                          .text = share_text(outcome->count, tally.funnel().judged),
                          .good = false});
  }
  if (others > 0)
    chart.bars.push_back({.name = "others",
                          .value = static_cast<double>(others),
                          .text = share_text(others, tally.funnel().judged),
                          .good = false});
  return chart;
}

// What rounds say of all their answers.
AreaChart kinds_chart(const Run& run) {
  AreaChart chart{.title = "run " + run.name + ", by round", .x_label = "round", .curves = {}};
  for (const Curve& curve : run.metrics) {
    if (curve.name.rfind("kind/", 0) == 0)
      chart.curves.push_back({.name = curve.name.substr(5), .points = curve.points});
  }
  // what passed lies at the bottom, so that the rest is seen to shrink
  std::stable_partition(chart.curves.begin(), chart.curves.end(),
                        [](const Curve& curve) { return curve.name == "passed"; });
  return chart;
}

Table rules_table(const Run& run) {
  Table table{.head = {"rule", "answers refused", "in the first half", "in the second half"}, .rows = {}};
  for (const Curve& curve : run.metrics) {
    if (curve.name.rfind("rule/", 0) != 0 || curve.points.empty()) continue;
    const double middle = (curve.points.front().first + curve.points.back().first) / 2;
    double first = 0, second = 0;
    for (const auto& [round, count] : curve.points) {
      if (std::isfinite(count)) (round <= middle ? first : second) += count;
    }
    table.rows.push_back(
        {curve.name.substr(5), fixed_text(first + second, 0), fixed_text(first, 0), fixed_text(second, 0)});
  }
  table.note = "Run " + run.name + ": answers that a rule of the judge refused, by its name.";
  return table;
}

}  // namespace

Section failures_section(const Material& material) {
  Section section{.id = "failures", .title = "What went wrong", .blocks = {}};
  Charts charts;
  Table messages{.head = {"what", "count", "of", "for example"}, .rows = {}, .words = 4};
  for (const auto& [name, tally] : material.tallies()) {
    const std::vector<Failure> failures = failures_of(*tally);
    if (failures.empty()) continue;
    charts.charts.emplace_back(bars_of(name, *tally, failures));
    for (std::size_t i = 0; i < std::min<std::size_t>(failures.size(), 8); ++i) {
      const auto& [kind, outcome] = failures[i];
      const std::string& message = outcome->example.result.message;
      messages.rows.push_back({kind, count_text(outcome->count), name,
                               outcome->example.result.id + (message.empty() ? "" : ": " + shortened(message, 240))});
    }
  }
  for (const Run& run : material.runs) {
    AreaChart chart = kinds_chart(run);
    if (!chart.curves.empty()) charts.charts.emplace_back(std::move(chart));
  }
  if (!charts.charts.empty()) section.blocks.emplace_back(std::move(charts));
  if (!messages.rows.empty()) section.blocks.emplace_back(std::move(messages));
  for (const Run& run : material.runs) {
    Table rules = rules_table(run);
    if (!rules.rows.empty()) section.blocks.emplace_back(std::move(rules));
  }
  return section;
}

}  // namespace tritonrl::report
