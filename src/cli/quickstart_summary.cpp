#include "cli/quickstart_summary.h"

#include <cstdio>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "record/evaluation.h"

namespace tritonrl::cli {
namespace {

using base::Json;

constexpr double kChance = 0.05;  // a test that says less than this is taken for more than chance
constexpr const char* kNames[] = {"as it was", "fine-tuned", "reinforced"};

std::string shown(double value, const char* form) {
  char text[48];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string said_of(const record::PairedDifference& found) {
  const std::string counts = std::to_string(found.only_second) + " tasks won, " + std::to_string(found.only_first) +
                             " lost, p = " + shown(found.p, "%.2g") + ": ";
  if (found.p >= kChance) return counts + "no difference that so many tasks can show";
  return counts + (found.only_second > found.only_first ? "better" : "worse") + ", and hardly by chance";
}

}  // namespace

std::string quickstart_summary(std::span<const std::filesystem::path> evaluations) {
  std::vector<Json> all;
  for (const std::filesystem::path& path : evaluations) all.push_back(record::read_evaluation(path));
  std::string out;
  const auto line = [&](const char* name, const std::string& text) {
    char start[32];
    std::snprintf(start, sizeof start, "  %-17s", name);
    out += start + text + "\n";
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string text = record::rate_text(all[i].at("metrics"), "correct_rate") + " of " +
                       std::to_string(all[i].at("num_tasks").integer()) + " right";
    if (i > 0) text += "; " + said_of(record::paired_difference(all[i - 1], all[i]));
    line(kNames[i], text);
  }
  if (all.size() > 2) line("altogether", said_of(record::paired_difference(all.front(), all.back())));
  return out;
}

std::string module_summary(const std::filesystem::path& proof) {
  const Json read = Json::parse(base::read_file(proof));
  const Json& winner = read.at("winner");
  if (winner.is_null()) return "nothing was proven for it";
  const Json& timing = winner.at("verdict").at("timing");
  return shown(winner.at("speedup").real(), "%.2f") + " times eager torch (" + timing.at("mode").text() + " on " +
         timing.at("target").text() + "), by " + winner.at("source").text();
}

}  // namespace tritonrl::cli
