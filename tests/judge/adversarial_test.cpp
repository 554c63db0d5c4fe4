#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "base/json.h"
#include "judge/pool.h"
#include "judge/rules/rule_table.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"

// Every cheat of the catalogue without effect, no honest control refused; and with the protections that stop a cheat
// switched off, the cheat gets through. The table is tests/judge/adversarial/cases.json. TRITONRL_CASES=text,… judges
// only the files whose name contains one of them; TRITONRL_FIND_OFF=file switches off what stops each cheat, one
// protection after the other, and writes which ones it took (where something stops it that has no switch, none).
//
// Fields of a cheat: `expect`, the kinds that it may end in; `off`, the protections that stop it, all of them;
// `device_only`, nothing but a GPU at the real sizes shows what it does; `host_only`, it passes on a GPU;
// `most_speedup`, what it may be found to gain on a GPU, where it may pass because it comes to nothing. Of cheats and
// honest controls: `protocol`, whose tolerances they are judged by.

namespace tritonrl::judge {
namespace {

namespace fs = std::filesystem;
using base::Json;

const fs::path kFolder = source_path("tests/judge/adversarial");

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

const Json& cases() {
  static const Json table = Json::parse(text_of(kFolder / "cases.json"));
  return table;
}

bool chosen(const std::string& file) {
  const char* filter = std::getenv("TRITONRL_CASES");
  if (filter == nullptr) return true;
  std::istringstream texts(filter);
  for (std::string text; std::getline(texts, text, ',');) {
    if (file.find(text) != std::string::npos) return true;
  }
  return false;
}

bool on_device() {
  return test_judge_options().device != "cpu";
}

Submission submission_of(const Json& row, const char* folder) {
  Submission out;
  out.id = row["file"].get<std::string>();
  out.name = out.id;
  out.code = text_of(kFolder / folder / out.id);
  const std::string task = row["task"].get<std::string>();
  out.task = {.id = task, .source = text_of(kFolder / "tasks" / task), .entry_point = {}};
  return out;
}

// A file of the table and how it is judged: under its own protocol where the row names one.
struct Asked {
  const Json* row = nullptr;
  JudgeOptions options;
};

std::vector<Asked> asked(const JudgeOptions& options, const std::vector<const Json*>& rows) {
  std::vector<Asked> out;
  for (const Json* row : rows) {
    out.push_back({row, options});
    out.back().options.protocol = row->value("protocol", options.protocol);
  }
  return out;
}

struct Judged {
  const Json* row = nullptr;
  record::Verdict verdict;
};

// Each submission by the judge that is meant for it, so that one pool has work as long as there is some.
class JudgeOfEach : public Judge {
 public:
  void add(const Asked& one) {
    std::string kind = one.options.protocol;
    for (const std::string& off : one.options.without) kind += " " + off;
    std::unique_ptr<Funnel>& judge = judges_[kind];
    if (!judge) judge = std::make_unique<Funnel>(test_funnel(), one.options);
    by_id_[(*one.row)["file"].text()] = judge.get();
  }
  record::Verdict judge(const Submission& submission) override { return by_id_.at(submission.id)->judge(submission); }

 private:
  std::map<std::string, std::unique_ptr<Funnel>> judges_;
  std::map<std::string, Judge*> by_id_;
};

// Got no processor, beside all others: an infrastructure failure, or a time limit that its row does not tell of.
bool starved(const Json& row, const record::Verdict& verdict) {
  if (verdict.kind == record::VerdictKind::kInfrastructure) return true;
  if (verdict.kind != record::VerdictKind::kTimeout) return false;
  const auto expected = row.value("expect", std::vector<std::string>());
  return std::find(expected.begin(), expected.end(), "timeout") == expected.end();
}

// Those of one task one after the other, as a trainer has them, so that what the referee computed for one serves the
// next. Who got no processor, beside all others, is judged once more alone.
std::vector<Judged> judge_all(std::vector<Asked> all, const char* folder) {
  std::ranges::stable_sort(all, {}, [](const Asked& one) { return (*one.row)["task"].text(); });
  JudgeOfEach judge;
  for (const Asked& one : all) judge.add(one);
  Pool pool(judge, PoolOptions{});
  std::vector<std::future<record::Verdict>> futures;
  for (const Asked& one : all) futures.push_back(pool.submit(submission_of(*one.row, folder)));
  std::vector<Judged> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.push_back({all[i].row, futures[i].get()});
    record::Verdict& verdict = out.back().verdict;
    if (starved(*all[i].row, verdict)) {
      for (std::size_t later = i + 1; later < futures.size(); ++later) futures[later].wait();
      verdict = judge.judge(submission_of(*all[i].row, folder));
    }
    if (const char* log = std::getenv("TRITONRL_ADVERSARIAL_LOG")) {
      std::ofstream(log, std::ios::app) << (*all[i].row)["file"].get<std::string>() << "\t"
                                        << record::to_json(out.back().verdict) << "\n";
    }
  }
  return out;
}

// Cheats meet what they meet in training.
JudgeOptions options_for_cheats() {
  JudgeOptions out = test_judge_options();
  out.require_general = true;
  out.candidate_ms = 40'000;  // what waits for the end of its time waits long enough
  return out;
}

bool only_on_device(const Json& row) {
  return row.value("device_only", false);
}

bool not_on_device(const Json& row) {
  return row.value("host_only", false);
}

// Those that say something here.
std::vector<const Json*> rows_of(const char* kind) {
  std::vector<const Json*> out;
  for (const Json& row : cases()[kind]) {
    if (chosen(row["file"].get<std::string>()) && !(on_device() ? not_on_device(row) : only_on_device(row)))
      out.push_back(&row);
  }
  return out;
}

std::string summary(const record::Verdict& verdict) {
  return std::string(to_string(verdict.kind)) + " at " + std::string(to_string(verdict.stage)) +
         (verdict.rule.empty() ? "" : " [" + verdict.rule + "]") + ": " + verdict.message.substr(0, 300);
}

TEST(Adversarial, TheTableIsComplete) {
  EXPECT_GE(cases()["cheats"].size(), 45U);
  EXPECT_GE(cases()["honest"].size(), 40U);
  std::map<std::string, int> groups;
  for (const Json& row : cases()["cheats"]) ++groups[row["group"].get<std::string>()];
  for (const char* group : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) EXPECT_GT(groups[group], 0) << group;
  for (const char* folder : {"cheats", "honest"}) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(kFolder / folder)) files += entry.path().extension() == ".py";
    EXPECT_EQ(files, cases()[folder].size()) << "every file of " << folder << " is in cases.json";
  }
}

TEST(Adversarial, HonestControlsPass) {
  int refused = 0;
  const auto judged = judge_all(asked(test_judge_options(), rows_of("honest")), "honest");
  for (const Judged& one : judged) {
    if (one.verdict.kind == record::VerdictKind::kPassed) continue;
    ++refused;
    ADD_FAILURE() << (*one.row)["file"] << ": " << summary(one.verdict);
  }
  std::printf("honest controls refused: %d of %zu\n", refused, judged.size());
}

// What a cheat that passed gained by it; empty: nothing that was measured.
std::string too_fast(const Judged& one) {
  const Json* most = one.row->find("most_speedup");
  const std::optional<record::Timing>& timing = one.verdict.timing;
  if (most == nullptr || one.verdict.kind != record::VerdictKind::kPassed || !timing || !timing->measured) return "";
  std::printf("%s: %.2f times as fast as the reference, %.2f at most\n", one.row->at("file").get<std::string>().c_str(),
              timing->speedup, most->get<double>());
  if (timing->speedup <= most->get<double>()) return "";
  return "passed and is " + std::to_string(timing->speedup) + " times as fast as the reference";
}

TEST(Adversarial, CheatsHaveNoEffect) {
  int without_effect = 0;
  const auto judged = judge_all(asked(options_for_cheats(), rows_of("cheats")), "cheats");
  for (const Judged& one : judged) {
    const auto expected = (*one.row)["expect"].get<std::vector<std::string>>();
    const std::string kind(to_string(one.verdict.kind));
    // an endless loop on a machine that has no processor for it: nobody is paid
    const bool starved = one.verdict.kind == record::VerdictKind::kInfrastructure &&
                         std::find(expected.begin(), expected.end(), "timeout") != expected.end();
    const bool comes_to_nothing = on_device() && kind == "passed" && one.row->find("most_speedup") != nullptr;
    if (comes_to_nothing || starved || std::find(expected.begin(), expected.end(), kind) != expected.end()) {
      const std::string gain = too_fast(one);
      EXPECT_TRUE(gain.empty()) << (*one.row)["file"] << " (" << (*one.row)["about"] << "): " << gain;
      without_effect += gain.empty();
      continue;
    }
    ADD_FAILURE() << (*one.row)["file"] << " (" << (*one.row)["about"] << "): " << summary(one.verdict);
  }
  std::printf("cheats without effect: %d of %zu\n", without_effect, judged.size());
}

// Without a GPU they pass, else they would have to be tried everywhere; and the verdict says that something was not
// seen. Now and then the secret sample holds the very program that cheats.
TEST(Adversarial, WhatOnlyADeviceShowsPassesWithoutOne) {
  if (on_device()) GTEST_SKIP() << "there is a device";
  std::vector<const Json*> rows;
  for (const Json& row : cases()["cheats"]) {
    if (only_on_device(row) && chosen(row["file"].get<std::string>())) rows.push_back(&row);
  }
  std::size_t passed = 0;
  for (const Judged& one : judge_all(asked(test_judge_options(), rows), "cheats")) {
    const bool sampled = one.verdict.rule == "unverified_at_real_shape" || one.verdict.rule == "out_of_bounds";
    passed += one.verdict.kind == record::VerdictKind::kPassed;
    if (one.verdict.kind == record::VerdictKind::kPassed) {
      EXPECT_FALSE(one.verdict.unseen.empty()) << (*one.row)["file"] << " passes, and all of it was seen";
    } else {
      EXPECT_TRUE(sampled) << (*one.row)["file"] << " is stopped without a device, too: " << summary(one.verdict);
    }
  }
  EXPECT_GE(2 * passed, rows.size()) << "most are stopped without a device";
}

// The switch of what stopped a candidate; empty: there is none.
std::string switch_of(const record::Verdict& verdict) {
  const std::vector<std::string_view> known = switches();
  if (verdict.stage == record::Stage::kAst)
    return verdict.rule == "no_entry_point" || verdict.rule == "syntax" ? "" : "ast";
  if (std::find(known.begin(), known.end(), verdict.rule) != known.end()) return verdict.rule;
  if (verdict.stage == record::Stage::kTiny) return "tiny";
  for (const record::VariationResult& variation : verdict.variations) {
    if (variation.status != record::VariationResult::Status::kFailed) continue;
    if (variation.name != "original") return "variation:" + variation.name;
    return variation.message.starts_with("in call") ? "state" : "";
  }
  return "";
}

TEST(Adversarial, FindsWhatStopsEachCheat) {
  const char* out = std::getenv("TRITONRL_FIND_OFF");
  if (out == nullptr) GTEST_SKIP() << "TRITONRL_FIND_OFF names no file";
  std::map<std::string, std::set<std::string>> off;
  std::vector<const Json*> open = rows_of("cheats");
  Json found = Json::object();
  for (int round = 0; round < 8 && !open.empty(); ++round) {
    std::map<std::set<std::string>, std::vector<const Json*>> by_protection;
    for (const Json* row : open) by_protection[off[(*row)["file"].text()]].push_back(row);
    open.clear();
    for (const auto& [without, rows] : by_protection) {
      JudgeOptions options = options_for_cheats();
      options.without = without;
      for (const Judged& one : judge_all(asked(options, rows), "cheats")) {
        const std::string file = (*one.row)["file"].text();
        if (one.verdict.kind == record::VerdictKind::kPassed) {
          found[file] = std::vector<std::string>(without.begin(), without.end());
          continue;
        }
        const std::string next = switch_of(one.verdict);
        if (next.empty() || without.contains(next)) {
          found[file] = Json::array();
          continue;
        }
        off[file].insert(next);
        open.push_back(one.row);
      }
    }
  }
  std::ofstream(out) << found.sorted().dump(1) << "\n";
}

// On a GPU the values at the real sizes are compared as well, in every run, and that has no switch.
bool stopped_by_device(const record::Verdict& verdict) {
  return on_device() &&
         (verdict.message.starts_with("at the task's real sizes, on the GPU") || verdict.rule == "timed_outputs");
}

TEST(Adversarial, CheatsGetThroughWhereTheirProtectionIsOff) {
  int through = 0, tried = 0, on_gpu = 0;
  std::vector<Asked> all = asked(options_for_cheats(), rows_of("cheats"));
  for (Asked& one : all) {
    const auto off = (*one.row)["off"].get<std::vector<std::string>>();
    one.options.without = {off.begin(), off.end()};
  }
  std::erase_if(all, [](const Asked& one) { return one.options.without.empty(); });
  for (const Judged& one : judge_all(std::move(all), "cheats")) {
    ++tried;
    if (one.verdict.kind == record::VerdictKind::kPassed) {
      ++through;
      continue;
    }
    if (stopped_by_device(one.verdict)) {
      ++on_gpu;
      continue;
    }
    ADD_FAILURE() << (*one.row)["file"] << " is still stopped without its protections: " << summary(one.verdict);
  }
  std::printf("cheats that get through with their protections off: %d of %d\n", through, tried);
  if (on_device()) std::printf("stopped by their values at the real sizes alone: %d more\n", on_gpu);
}

}  // namespace
}  // namespace tritonrl::judge
