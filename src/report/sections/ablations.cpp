#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

using base::Json;
using Options = std::map<std::string, std::string>;

// "lora.rank" of {"lora": {"rank": 16}}, with the value as JSON writes it.
void flatten(const Json& json, const std::string& path, Options& out) {
  if (json.is_object() && !json.empty()) {
    for (const Json::Member& member : json.items())
      flatten(member.value, path.empty() ? member.name : path + "." + member.name, out);
  } else {
    out[path] = json.is_string() ? json.text() : json.dump();
  }
}

// Options that say where a run lies or when it pauses, not what it does.
bool says_nothing(const std::string& path) {
  static const std::set<std::string> names = {"name",        "runs",         "checkpoints",        "fresh", "mirror",
                                              "spot_notice", "save_minutes", "stop_after_minutes", "out",   "seed"};
  return names.contains(path.substr(path.rfind('.') + 1));
}

// Runs that differ in nothing but their seed.
struct Variant {
  std::string difference;
  std::vector<const Run*> runs;
};

std::vector<Variant> variants_of(const std::vector<const Run*>& runs) {
  std::vector<Options> options(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]->manifest) flatten(runs[i]->manifest->options, "", options[i]);
  }
  std::set<std::string> names;
  for (const Options& each : options) {
    for (const auto& [name, value] : each) {
      const bool differs =
          std::any_of(options.begin(), options.end(), [&, &key = name, &own = value](const Options& other) {
            const auto found = other.find(key);
            return found == other.end() || found->second != own;
          });
      if (differs && !says_nothing(name)) names.insert(name);
    }
  }
  std::vector<Variant> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string difference;
    for (const std::string& name : names) {
      const auto found = options[i].find(name);
      difference += (difference.empty() ? "" : ", ") + name + " = " + (found == options[i].end() ? "-" : found->second);
    }
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const Variant& each) { return each.difference == difference; });
    if (same != out.end()) {
      same->runs.push_back(runs[i]);
    } else {
      out.push_back({.difference = difference, .runs = {runs[i]}});
    }
  }
  return out;
}

// The mean over runs, and the least and most where there are several.
std::string over_runs(const Variant& variant, const char* metric, std::string (*text)(double)) {
  std::vector<double> values;
  for (const Run* run : variant.runs) {
    if (const auto value = run->late(metric)) values.push_back(*value);
  }
  if (values.empty()) return "-";
  double sum = 0;
  for (const double value : values) sum += value;
  std::string out = text(sum / static_cast<double>(values.size()));
  if (values.size() == 1) return out;
  std::string least = text(*std::min_element(values.begin(), values.end()));
  if (least.ends_with(" %")) least.resize(least.size() - 2);
  out += " (" + least + " to " + text(*std::max_element(values.begin(), values.end())) + ")";
  return out;
}

std::string names_of(const Variant& variant) {
  std::string out;
  for (const Run* run : variant.runs) out += (out.empty() ? "" : ", ") + run->name;
  return out;
}

struct Column {
  const char* metric;
  const char* label;
  std::string (*text)(double);
};
constexpr Column kColumns[] = {{"correct_rate", "answers right", percent_text},
                               {"compiled_rate", "compiled", percent_text},
                               {"reward_mean", "reward", short_text},
                               {"distinct_correct_programs", "different right programs", short_text},
                               {"loss", "loss", short_text}};

}  // namespace

Section ablations_section(const Material& material) {
  Section section{.id = "ablations", .title = "Runs side by side", .blocks = {}};
  std::map<std::string, std::vector<const Run*>> stages;
  for (const Run& run : material.runs) stages[run.stage].push_back(&run);
  for (const auto& [stage, runs] : stages) {
    if (runs.size() < 2) continue;
    std::vector<Column> columns;
    for (const Column& column : kColumns) {
      if (std::any_of(runs.begin(), runs.end(), [&](const Run* run) { return run->late(column.metric).has_value(); }))
        columns.push_back(column);
    }
    Table table{.head = {"runs", "where they differ"}, .rows = {}, .words = 2};
    for (const Column& column : columns) table.head.emplace_back(column.label);
    for (const Variant& variant : variants_of(runs)) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row = {names_of(variant), variant.difference.empty() ? "in their seeds at most" : variant.difference};
      for (const Column& column : columns) row.push_back(over_runs(variant, column.metric, column.text));
    }
    table.note = (stage.empty() ? std::string("Runs") : "Runs of " + stage) +
                 ": means of the last tenth of their steps; of runs that differ in their seeds alone the mean, with "
                 "the least and the most.";
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

}  // namespace tritonrl::report
