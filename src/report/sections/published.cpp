#include <algorithm>

#include "record/evaluation.h"
#include "report/own_file.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

using base::Json;

// Whether its tasks are KernelBench's: by their names, which `tritonrl eval` gives them.
bool is_kernelbench(const Evaluation& evaluation) {
  const Json::Array& results = evaluation.file.at("detailed_results").elements();
  return !results.empty() && std::all_of(results.begin(), results.end(), [](const Json& result) {
    return result.at("id").text().rfind("kernelbench/", 0) == 0;
  });
}

// Its widest pass@k, or its rate of right answers where it took one each.
std::string measure_of(const Json& metrics) {
  std::string out = "correct_rate";
  for (const Json::Member& member : metrics.at("intervals").items()) {
    if (member.name.rfind("pass@", 0) == 0) out = member.name;
  }
  return metrics.find("pass@10") != nullptr ? "pass@10" : out;
}

void add_rows(Table& table, const Evaluation& evaluation) {
  const Json* levels = evaluation.metrics().find("per_level");
  if (levels == nullptr) return;
  for (const Json::Member& level : levels->items()) {
    const std::string measure = measure_of(level.value);
    const auto tasks = Evaluation::number(level.value, "num_tasks");
    const Json* judge = evaluation.file.at("options").find("judge");
    const Json* policy = judge == nullptr || !judge->is_object() ? nullptr : judge->find("policy");
    table.rows.push_back(
        {"evaluation " + evaluation.name, level.name, label_of(measure), record::rate_text(level.value, measure),
         "this judge, version " +
             (evaluation.file.at("judge_version").is_string() ? evaluation.file.at("judge_version").text() : "mixed") +
             (policy != nullptr && policy->is_string() ? ", policy " + policy->text() : "") + "; " +
             or_dash(tasks, [](double value) { return fixed_text(value, 0); }) + " tasks, degenerate ones left out",
         evaluation.path.filename().string()});
  }
}

}  // namespace

Section published_section(const Material& material) {
  Section section{.id = "published", .title = "Beside published figures", .blocks = {}};
  Table table{.head = {"system", "level", "measure", "result", "protocol", "source"}, .rows = {}, .words = 6};
  for (const Evaluation& evaluation : material.evaluations) {
    if (is_kernelbench(evaluation)) add_rows(table, evaluation);
  }
  if (table.rows.empty()) return section;
  const Json published = Json::parse(own_file("material/published.json"));
  for (const Json& result : published.at("results")) {
    table.rows.push_back({result.at("system").text(), std::to_string(result.at("level").integer()),
                          result.at("measure").text(), result.at("value").text(), result.at("protocol").text(),
                          result.at("source").text()});
  }
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(Notice{
      "Protocols differ: what counts as right, which tasks are left out, how many samples are taken and where times "
      "come from. Such rows say how large figures are, not which system is better."});
  return section;
}

}  // namespace tritonrl::report
