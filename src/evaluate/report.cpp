#include "evaluate/report.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "evaluate/metrics.h"
#include "record/evaluation.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

std::string number_text(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// Characters of UTF-8, as wide as a terminal shows them.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string plain_text(const Json& metrics, const std::string& name) {
  const Json* value = metrics.find(name);
  if (value == nullptr || value->is_null()) return "-";
  return value->is_number_integer() ? std::to_string(value->integer()) : number_text("%.3g", value->real());
}

}  // namespace

Json evaluation_json(const ReportHead& head, std::span<const SampleResult> results) {
  Json out = Json::object();
  out["model_path"] = head.model_path;
  out["adapter_path"] = head.adapter_path;
  if (!head.answers_path.empty()) out["answers_path"] = head.answers_path;
  out["answered_by"] = head.by_plans ? "model and teacher" : "model alone";
  out["num_tasks"] = by_task(results).size();
  out["timing"] = timing_of(results);
  std::set<std::string> versions;
  for (const SampleResult& result : results) {
    if (!result.judge_version.empty()) versions.insert(result.judge_version);
  }
  out["judge_version"] =
      versions.size() == 1 ? Json(*versions.begin()) : Json(std::vector(versions.begin(), versions.end()));
  out["metrics"] = evaluation_metrics(results);
  out["options"] = head.options;
  Json::Array details;
  for (const SampleResult& result : results) details.push_back(base::to_json(result));
  out["detailed_results"] = std::move(details);
  return out;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += row[i] + (i + 1 < row.size() ? std::string(widths[i] - width(row[i]) + 2, ' ') : "\n");
  }
  return out;
}

std::string summary_text(const Json& evaluation) {
  const Json& metrics = evaluation.at("metrics");
  std::vector<std::pair<std::string, const Json*>> groups = {{"all", &metrics}};
  if (metrics.at("per_level").size() > 1) {
    for (const Json::Member& level : metrics.at("per_level").items())
      groups.emplace_back("level " + level.name, &level.value);
  }
  if (const Json* degenerate = metrics.find("degenerate")) groups.emplace_back("degenerate", degenerate);
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const auto& [name, group] : groups) rows[0].push_back(name);
  const auto add = [&](const std::string& label, const std::string& name, const auto& text) {
    std::vector<std::string>& row = rows.emplace_back(1, label);
    for (const auto& [group_name, group] : groups) row.push_back(text(*group, name));
  };
  for (const char* name : {"num_tasks", "not_judged"}) add(name, name, plain_text);
  for (const Json::Member& member : metrics.at("intervals").items()) add(member.name, member.name, record::rate_text);
  for (const char* name : {"geometric_mean_speedup", "median_speedup", "distinct_programs"}) {
    if (metrics.contains(name)) add(name, name, plain_text);
  }
  std::string out = table_text(rows);
  const std::string& timing = evaluation.at("timing").text();
  out += "rates are of tasks by their " + metrics.at("rates_of").text() + ", with 95 % intervals; " +
         (timing == "none" ? "nothing was timed" : "speed-ups are " + timing + ", of right answers") + "\n";
  if (const Json* who = evaluation.find("answered_by")) out += "answered by " + who->text() + "\n";
  out += "what became of them:";
  for (const Json::Member& outcome : metrics.at("outcomes").items())
    out += " " + std::to_string(outcome.value.integer()) + " " + outcome.name + ",";
  out.back() = '\n';
  return out;
}

}  // namespace tritonrl::evaluate
