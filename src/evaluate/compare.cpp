#include "evaluate/compare.h"

#include <algorithm>
#include <cstdio>

#include "evaluate/report.h"
#include "record/evaluation.h"

namespace tritonrl::evaluate {
namespace {

using base::Json;

std::vector<Json> read_all(std::span<const std::filesystem::path> paths) {
  std::vector<Json> out;
  for (const std::filesystem::path& path : paths) out.push_back(record::read_evaluation(path));
  return out;
}

std::string difference_text(const Json& first, const Json& second) {
  const record::PairedDifference found = record::paired_difference(first, second);
  char text[200];
  std::snprintf(text, sizeof(text),
                "%lld tasks: both solve %lld, only the first %lld, only this %lld; p = %.3g (McNemar)",
                static_cast<long long>(found.tasks), static_cast<long long>(found.both),
                static_cast<long long>(found.only_first), static_cast<long long>(found.only_second), found.p);
  return text;
}

}  // namespace

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
    for (const Json& evaluation : all) row.push_back(record::rate_text(evaluation.at("metrics"), name));
  }
  std::vector<std::string>& speed = rows.emplace_back(1, "geometric_mean_speedup");
  for (const Json& evaluation : all) {
    const Json* value = evaluation.at("metrics").find("geometric_mean_speedup");
    char text[40] = "-";
    if (value != nullptr && value->is_number())
      std::snprintf(text, sizeof(text), "%.3g (%s)", value->real(), evaluation.at("timing").text().c_str());
    speed.emplace_back(text);
  }
  std::vector<std::string>& who = rows.emplace_back(1, "answered by");
  for (const Json& evaluation : all) {
    const Json* said = evaluation.find("answered_by");
    who.push_back(said == nullptr ? "-" : said->text());
  }
  std::string out = table_text(rows);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string name = paths[i].stem().string();
    out += name + " against " + paths[0].stem().string() + ": " + difference_text(all[0], all[i]) + "\n";
    for (const std::string& doubt : record::doubts(all[0], all[i])) out += "  take care: " + doubt + "\n";
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
    const record::PairedDifference found = record::paired_difference(all[0], all[i]);
    differences.push_back(Json{{"first", paths[0].string()},
                               {"second", paths[i].string()},
                               {"tasks", found.tasks},
                               {"both", found.both},
                               {"only_first", found.only_first},
                               {"only_second", found.only_second},
                               {"mcnemar_p", found.p},
                               {"take_care", record::doubts(all[0], all[i])}});
  }
  out["evaluations"] = std::move(evaluations);
  out["differences"] = std::move(differences);
  return out;
}

}  // namespace tritonrl::evaluate
