#include "report/material/evaluation.h"

#include <optional>

#include "base/error.h"
#include "record/evaluation.h"

namespace tritonrl::report {
namespace {

using base::Json;

// Rates and intervals are numbers or null: whoever shows them relies on it.
void check_metrics(const Json& metrics) {
  for (const Json::Member& interval : metrics.at("intervals").items()) {
    const Json* rate = metrics.find(interval.name);
    if (rate != nullptr && !rate->is_null()) rate->real();
    if (interval.value.is_null()) continue;
    if (interval.value.size() != 2) throw base::JsonError("intervals." + interval.name + " is no pair");
    interval.value.at(0).real(), interval.value.at(1).real();
  }
  for (const char* name : {"geometric_mean_speedup", "median_speedup"}) {
    const Json* value = metrics.find(name);
    if (value != nullptr && !value->is_null()) value->real();
  }
}

}  // namespace

std::optional<double> Evaluation::number(const Json& metrics, const std::string& name) {
  const Json* value = metrics.find(name);
  return value == nullptr || !value->is_number() ? std::nullopt : std::optional(value->real());
}

Evaluation read_evaluation(const std::filesystem::path& path) {
  Evaluation out{.name = {}, .path = path, .file = record::read_evaluation(path), .answers = {}};
  try {
    check_metrics(out.metrics());
    if (const Json* levels = out.metrics().find("per_level")) {
      for (const Json::Member& level : levels->items()) check_metrics(level.value);
    }
    out.file.at("model_path").text();
    out.file.at("options").items();
  } catch (const base::JsonError& error) {
    throw base::UserError("report",
                          path.string() + ": is damaged: " + error.what() + "; let `tritonrl eval` write it again");
  }
  const std::vector<record::SampleResult> results = record::results_of(out.file);
  for (const record::TaskResult& task : record::by_task(results)) {
    if (!task.degenerate) out.answers.add({.result = *task.first});
  }
  out.name = path.stem().string();
  if (out.name.rfind("eval_", 0) == 0 && out.name.size() > 5) out.name.erase(0, 5);
  return out;
}

}  // namespace tritonrl::report
