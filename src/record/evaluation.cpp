#include "record/evaluation.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/statistics.h"

namespace tritonrl::record {
namespace {

using base::Json;

// Whether each task that could be judged was solved by its first answer.
std::map<std::string, bool> solved(const Json& evaluation) {
  std::map<std::string, bool> out;
  const std::vector<SampleResult> results = results_of(evaluation);
  for (const TaskResult& task : by_task(results)) {
    if (task.first->judged()) out.emplace(task.first->id, task.first->correct());
  }
  return out;
}

}  // namespace

std::vector<SampleResult> results_of(const Json& evaluation) {
  std::vector<SampleResult> out;
  for (const Json& entry : evaluation.at("detailed_results")) base::read_fields(entry, out.emplace_back());
  return out;
}

Json read_evaluation(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& problem) {
    throw base::UserError("evaluate", path.string() + ": " + problem + "; name files that `tritonrl eval --out` wrote");
  };
  std::optional<Json> json = Json::try_parse(base::read_file(path));
  if (!json || !json->is_object()) refuse("is no JSON object");
  try {
    for (const char* name : {"judge_version", "timing", "num_tasks", "options", "model_path"}) json->at(name);
    json->at("metrics").at("rates_of").text();
    json->at("timing").text();
    json->at("metrics").at("intervals").items();
    results_of(*json);
  } catch (const base::JsonError& error) {
    refuse(error.what());
  }
  return *std::move(json);
}

std::string rate_text(const Json& metrics, const std::string& name) {
  const Json* rate = metrics.find(name);
  if (rate == nullptr || rate->is_null()) return "-";
  const Json* intervals = metrics.find("intervals");
  const Json* interval = intervals == nullptr ? nullptr : intervals->find(name);
  char text[80];
  if (interval != nullptr && interval->is_array() && interval->size() == 2) {
    std::snprintf(text, sizeof(text), "%.1f %% (%.1f to %.1f)", 100 * rate->real(), 100 * interval->at(0).real(),
                  100 * interval->at(1).real());
  } else {
    std::snprintf(text, sizeof(text), "%.1f %%", 100 * rate->real());
  }
  return text;
}

std::vector<TaskResult> by_task(std::span<const SampleResult> results) {
  std::vector<TaskResult> out;
  std::map<std::string, std::size_t> places;
  for (const SampleResult& result : results) {
    const auto [place, fresh] = places.emplace(result.id, out.size());
    if (fresh) out.emplace_back();
    TaskResult& task = out[place->second];
    if (!result.greedy) task.samples.push_back(&result);
    task.degenerate = task.degenerate || !result.degenerate.empty();
    if (result.greedy || task.first == nullptr || (!task.first->greedy && result.index < task.first->index))
      task.first = &result;
  }
  return out;
}

PairedDifference paired_difference(const Json& first, const Json& second) {
  PairedDifference out;
  const std::map<std::string, bool> other = solved(second);
  for (const auto& [id, in_first] : solved(first)) {
    const auto found = other.find(id);
    if (found == other.end()) continue;
    ++out.tasks;
    out.both += in_first && found->second ? 1 : 0;
    out.only_first += in_first && !found->second ? 1 : 0;
    out.only_second += !in_first && found->second ? 1 : 0;
  }
  out.p = base::mcnemar_exact(out.only_first, out.only_second);
  return out;
}

std::vector<std::string> doubts(const Json& first, const Json& second) {
  std::vector<std::string> out;
  for (const char* name : {"judge_version", "timing", "num_tasks"}) {
    const bool nothing_timed = first.at(name) == Json("none") || second.at(name) == Json("none");
    if (first.at(name) != second.at(name) && !nothing_timed)
      out.push_back(std::string(name) + " differs: " + first.at(name).dump() + " and " + second.at(name).dump());
  }
  const Json* judge = first.at("options").find("judge");
  const Json* other = second.at("options").find("judge");
  if (judge != nullptr && other != nullptr && *judge != *other) out.emplace_back("the judges' options differ");
  if (first.at("metrics").at("rates_of") != second.at("metrics").at("rates_of"))
    out.emplace_back("one is of greedy answers, the other of samples");
  return out;
}

}  // namespace tritonrl::record
