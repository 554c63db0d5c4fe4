#include <algorithm>
#include <cmath>
#include <map>

#include "report/page/html_text.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

using Failure = std::pair<std::string, const AnswerTally::Outcome*>;
constexpr std::size_t kShownKinds = 12, kShownRows = 20;

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

// What rounds say of all their answers. A kind has the same colour in all of them.
AreaChart kinds_chart(const Run& run) {
  const auto kinds = record::enum_names(record::VerdictKind());
  AreaChart chart{.title = "run " + run.name + ", by round", .x_label = "round", .curves = {}};
  for (const Curve& curve : run.metrics) {
    if (curve.name.rfind("kind/", 0) != 0) continue;
    const std::string kind = curve.name.substr(5);
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    chart.curves.push_back(
        {.name = kind, .points = curve.points, .colour = static_cast<int>(std::distance(kinds.begin(), found))});
  }
  // in the order of the kinds: what passed lies at the bottom, so that the rest is seen to shrink
  std::stable_sort(chart.curves.begin(), chart.curves.end(),
                   [](const Curve& a, const Curve& b) { return a.colour < b.colour; });
  return chart;
}

// A row a rule of the judge, a column a run: how often, and in which half of it.
Table rules_table(const Material& material) {
  Table table{.head = {"rule"}, .rows = {}};
  std::map<std::string, std::map<std::string, std::string>> rules;  // by rule, then run
  for (const Run& run : material.runs) {
    bool any = false;
    for (const Curve& curve : run.metrics) {
      if (curve.name.rfind("rule/", 0) != 0 || curve.points.empty()) continue;
      const std::vector<Point>& all = run.metrics.front().points;
      const double middle = (all.front().first + all.back().first) / 2;
      double first = 0, second = 0;
      for (const auto& [round, count] : curve.points) {
        if (std::isfinite(count)) (round <= middle ? first : second) += count;
      }
      rules[curve.name.substr(5)][run.name] =
          fixed_text(first + second, 0) + " (" + fixed_text(first, 0) + ", then " + fixed_text(second, 0) + ")";
      any = true;
    }
    if (any) table.head.push_back("run " + run.name);
  }
  for (const auto& [rule, counts] : rules) {
    std::vector<std::string>& row = table.rows.emplace_back(1, rule);
    for (const Run& run : material.runs) {
      const auto found = counts.find(run.name);
      if (found != counts.end()) {
        row.push_back(found->second);
      } else if (std::find(table.head.begin(), table.head.end(), "run " + run.name) != table.head.end()) {
        row.emplace_back("-");
      }
    }
  }
  table.note =
      "How many answers each rule of the judge refused: in all, in the first half of the rounds, and in the second.";
  return table;
}

// A row a kind of failure, a column a source.
Table kinds_table(const Material& material) {
  const auto tallies = material.tallies();
  std::map<std::string, std::int64_t> totals;
  for (const auto& [source, tally] : tallies) {
    for (const auto& [kind, outcome] : tally->failures()) totals[kind] += outcome.count;
  }
  std::vector<std::pair<std::string, std::int64_t>> kinds(totals.begin(), totals.end());
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Table table{.head = {"what", "for example"}, .rows = {}, .words = 2};
  for (const auto& [source, tally] : tallies) table.head.push_back(source);
  for (const auto& [kind, total] : kinds) {
    if (table.rows.size() == kShownRows) break;
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{kind, ""});
    for (const auto& [source, tally] : tallies) {
      const auto found = tally->failures().find(kind);
      row.push_back(found == tally->failures().end() ? "-" : count_text(found->second.count));
      if (found == tally->failures().end() || !row[1].empty()) continue;
      const record::SampleResult& example = found->second.example.result;
      row[1] = example.id + (example.message.empty() ? "" : ": " + shortened(example.message, 240));
    }
  }
  if (kinds.size() > kShownRows)
    table.note = count_text(static_cast<std::int64_t>(kinds.size() - kShownRows)) + " rarer kinds are left out.";
  return table;
}

}  // namespace

Section failures_section(const Material& material) {
  Section section{.id = "failures", .title = "What went wrong", .blocks = {}};
  Charts charts;
  for (const auto& [name, tally] : material.tallies()) {
    const std::vector<Failure> failures = failures_of(*tally);
    if (failures.empty()) continue;
    charts.charts.emplace_back(bars_of(name, *tally, failures));
  }
  for (const Run& run : material.runs) {
    AreaChart chart = kinds_chart(run);
    if (!chart.curves.empty()) charts.charts.emplace_back(std::move(chart));
  }
  if (!charts.charts.empty()) section.blocks.emplace_back(std::move(charts));
  Table kinds = kinds_table(material);
  if (!kinds.rows.empty()) section.blocks.emplace_back(std::move(kinds));
  Table rules = rules_table(material);
  if (!rules.rows.empty()) section.blocks.emplace_back(std::move(rules));
  return section;
}

}  // namespace tritonrl::report
