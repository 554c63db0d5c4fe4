#include "evaluate/compare.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "evaluate/metrics.h"
#include "evaluate/report.h"
#include "evaluate/statistics.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

std::vector<SampleResult> results_of(const Json& evaluation) {
  std::vector<SampleResult> out;
  for (const Json& entry : evaluation.at("detailed_results")) base::read_fields(entry, out.emplace_back());
  return out;
}

// Whether each task that could be judged was solved by its first answer.
std::map<std::string, bool> solved(const Json& evaluation) {
  std::map<std::string, bool> out;
  const std::vector<SampleResult> results = results_of(evaluation);
  for (const TaskResult& task : by_task(results)) {
    if (task.first->judged()) out.emplace(task.first->id, task.first->correct());
  }
  return out;
}

std::vector<Json> read_all(std::span<const std::filesystem::path> paths) {
  std::vector<Json> out;
  for (const std::filesystem::path& path : paths) out.push_back(read_evaluation(path));
  return out;
}

std::string difference_text(const Json& first, const Json& second) {
  const PairedDifference found = paired_difference(first, second);
  char text[200];
  std::snprintf(text, sizeof(text),
                "%lld tasks: both solve %lld, only the first %lld, only this %lld; p = %.3g (McNemar)",
                static_cast<long long>(found.tasks), static_cast<long long>(found.both),
                static_cast<long long>(found.only_first), static_cast<long long>(found.only_second), found.p);
  return text;
}

// What two evaluations must share for their rates to be compared.
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

}  // namespace

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
  out.p = mcnemar_exact(out.only_first, out.only_second);
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

std::string comparison_text(std::span<const std::filesystem::path> paths) {
  const std::vector<Json> all = read_all(paths);
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const std::filesystem::path& path : paths) rows[0].push_back(path.stem().string());
  std::vector<std::string> names;
  for (const Json& evaluation : all) {
    for (const Json::Member& member : evaluation.at("metrics").at("intervals").items()) {
      if (std::find(names.begin(), names.end(), member.name) == names.end()) names.push_back(member.name);
    }
  }
  for (const std::string& name : names) {
    std::vector<std::string>& row = rows.emplace_back(1, name);
    for (const Json& evaluation : all) row.push_back(rate_text(evaluation.at("metrics"), name));
  }
  std::vector<std::string>& speed = rows.emplace_back(1, "geometric_mean_speedup");
  for (const Json& evaluation : all) {
    const Json* value = evaluation.at("metrics").find("geometric_mean_speedup");
    char text[40] = "-";
    if (value != nullptr && value->is_number())
      std::snprintf(text, sizeof(text), "%.3g (%s)", value->real(), evaluation.at("timing").text().c_str());
    speed.emplace_back(text);
  }
  std::string out = table_text(rows);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string name = paths[i].stem().string();
    out += name + " against " + paths[0].stem().string() + ": " + difference_text(all[0], all[i]) + "\n";
    for (const std::string& doubt : doubts(all[0], all[i])) out += "  take care: " + doubt + "\n";
  }
  return out;
}

Json comparison_json(std::span<const std::filesystem::path> paths) {
  const std::vector<Json> all = read_all(paths);
  Json out = Json::object();
  Json::Array evaluations, differences;
  for (std::size_t i = 0; i < all.size(); ++i) {
    evaluations.push_back(Json{{"path", paths[i].string()}, {"metrics", all[i].at("metrics")}});
    if (i == 0) continue;
    const PairedDifference found = paired_difference(all[0], all[i]);
    differences.push_back(Json{{"first", paths[0].string()},
                               {"second", paths[i].string()},
                               {"tasks", found.tasks},
                               {"both", found.both},
                               {"only_first", found.only_first},
                               {"only_second", found.only_second},
                               {"mcnemar_p", found.p},
                               {"take_care", doubts(all[0], all[i])}});
  }
  out["evaluations"] = std::move(evaluations);
  out["differences"] = std::move(differences);
  return out;
}

}  // namespace tritonrl::evaluate
