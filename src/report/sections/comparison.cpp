#include <algorithm>
#include <cstdio>

#include "record/evaluation.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

using base::Json;

// All rates that an evaluation has, in the order of the first that names them.
std::vector<std::string> rates_of(const std::vector<Evaluation>& evaluations) {
  std::vector<std::string> out;
  for (const Evaluation& evaluation : evaluations) {
    for (const Json::Member& member : evaluation.metrics().at("intervals").items()) {
      if (std::find(out.begin(), out.end(), member.name) == out.end()) out.push_back(member.name);
    }
  }
  return out;
}

// Rates as rows, evaluations as columns.
Table rates_table(const std::vector<Evaluation>& evaluations) {
  Table table;
  table.head = {"of tasks"};
  for (const Evaluation& evaluation : evaluations) table.head.push_back(evaluation.name);
  const auto add = [&](const std::string& label, const auto& text) {
    std::vector<std::string>& row = table.rows.emplace_back(1, label);
    for (const Evaluation& evaluation : evaluations) row.push_back(text(evaluation));
  };
  add("tasks", [](const Evaluation& each) {
    return or_dash(Evaluation::number(each.metrics(), "num_tasks"), [](double value) { return fixed_text(value, 0); });
  });
  for (const std::string& name : rates_of(evaluations))
    add(label_of(name), [&](const Evaluation& each) { return record::rate_text(each.metrics(), name); });
  for (const char* name : {"geometric_mean_speedup", "median_speedup"}) {
    add(label_of(name), [&](const Evaluation& each) {
      const auto value = Evaluation::number(each.metrics(), name);
      return value ? fixed_text(*value, 2) + " (" + each.file.at("timing").text() + ")" : "-";
    });
  }
  table.note =
      "Rates are of tasks by the first answer (greedy where one was asked for), with Wilson's 95 % intervals; "
      "degenerate tasks are left out. Speed-ups are of right answers, over the reference.";
  return table;
}

std::vector<std::string> levels_of(const std::vector<Evaluation>& evaluations) {
  std::vector<std::string> out;
  for (const Evaluation& evaluation : evaluations) {
    const Json* levels = evaluation.metrics().find("per_level");
    if (levels == nullptr) continue;
    for (const Json::Member& level : levels->items()) {
      if (std::find(out.begin(), out.end(), level.name) == out.end()) out.push_back(level.name);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

IntervalChart interval_chart(const std::string& title, const std::vector<Evaluation>& evaluations,
                             const std::string& level) {
  IntervalChart chart{.title = title, .rows = {}};
  for (const Evaluation& evaluation : evaluations) {
    const Json* metrics = &evaluation.metrics();
    if (!level.empty()) {
      const Json* levels = metrics->find("per_level");
      metrics = levels == nullptr ? nullptr : levels->find(level);
    }
    const auto rate = metrics == nullptr ? std::nullopt : Evaluation::number(*metrics, "correct_rate");
    if (!rate) continue;
    IntervalChart::Row row{.name = evaluation.name, .value = *rate, .low = *rate, .high = *rate};
    const Json* interval = metrics->at("intervals").find("correct_rate");
    if (interval != nullptr && interval->size() == 2)
      row.low = interval->at(0).real(), row.high = interval->at(1).real();
    chart.rows.push_back(row);
  }
  return chart;
}

Table pairs_table(const std::vector<Evaluation>& evaluations) {
  Table table{.head = {"against " + evaluations[0].name, "tasks of both", "both solve", "only " + evaluations[0].name,
                       "only this", "p"},
              .rows = {}};
  for (std::size_t i = 1; i < evaluations.size(); ++i) {
    const record::PairedDifference found = record::paired_difference(evaluations[0].file, evaluations[i].file);
    char p[32];
    std::snprintf(p, sizeof(p), "%.2g", found.p);
    table.rows.push_back({evaluations[i].name, count_text(found.tasks), count_text(found.both),
                          count_text(found.only_first), count_text(found.only_second), p});
  }
  table.note =
      "McNemar's exact test on the tasks that both judged: p is how likely a split at least as uneven is if both "
      "are equally good.";
  return table;
}

}  // namespace

Section comparison_section(const Material& material) {
  const std::vector<Evaluation>& evaluations = material.evaluations;
  Section section{
      .id = "evaluations", .title = evaluations.size() > 1 ? "Evaluations side by side" : "Evaluation", .blocks = {}};
  if (evaluations.empty()) return section;
  section.blocks.emplace_back(rates_table(evaluations));
  Charts charts;
  charts.charts.emplace_back(interval_chart("Tasks solved", evaluations, ""));
  const std::vector<std::string> levels = levels_of(evaluations);
  if (levels.size() > 1) {
    for (const std::string& level : levels)
      charts.charts.emplace_back(interval_chart("Tasks solved, level " + level, evaluations, level));
  }
  section.blocks.emplace_back(std::move(charts));
  if (evaluations.size() > 1) section.blocks.emplace_back(pairs_table(evaluations));
  for (std::size_t i = 1; i < evaluations.size(); ++i) {
    for (const std::string& doubt : record::doubts(evaluations[0].file, evaluations[i].file))
      section.blocks.emplace_back(Notice{evaluations[i].name + " and " + evaluations[0].name + ": " + doubt});
  }
  return section;
}

}  // namespace tritonrl::report
