#include "judge/rules/rule_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/json.h"
#include "judge/rules/coverage.h"
#include "judge/rules/launch_standing.h"
#include "judge/trial_log.h"
#include "judge/version.h"
#include "program/program_json.h"
#include "python/source_report.h"
#include "tests/paths.h"

// The table of rules, and its rules one by one: tests/judge/rules/NAME.json has cases of the rule NAME, each with what
// it looks at and what it says. No process is started. tests/judge/rules/README.md says how a case is made.

namespace tritonrl::judge {
namespace {

namespace fs = std::filesystem;
using base::Json;

const fs::path kRoot = source_path("");
const fs::path kFolder = kRoot / "tests" / "judge" / "rules";

// All that the Evidence of one case points to.
struct Case {
  JudgeOptions options;
  std::string code, name = "candidate.py";
  std::optional<python::SourceReport> source;
  std::optional<program::Program> reference, candidate, again;
  std::vector<LaunchStanding> launches;
  Finding off_shape;
  Reach at_real, verified;
  runner::MeasuredTimes times;
  record::Timing timing;
  std::optional<double> work_share;
  python::LiveOutcome live;

  Evidence evidence() const {
    Evidence out{options, program::find_target("h200"), code, name};
    if (source) out.source = &*source;
    if (reference) out.reference = &*reference;
    if (candidate) out.candidate = &*candidate;
    if (again) out.again = &*again;
    out.launches = &launches;
    out.off_shape = &off_shape;
    out.reach_at_real = &at_real;
    out.reach_verified = &verified;
    out.times = &times;
    out.timing = &timing;
    out.work_share = work_share;
    out.live = &live;
    return out;
  }
};

// The value at "/forwards/0/steps/1".
Json& at_path(Json& json, const std::string& path) {
  Json* at = &json;
  std::istringstream names(path.substr(1));
  for (std::string name; std::getline(names, name, '/');)
    at = at->is_array() ? &at->at(std::stoul(name)) : &at->at(name);
  return *at;
}

// A recorded program: itself, by its name, or {"of": name, "with": {path: other value}}.
std::optional<program::Program> program_of(const Json* said) {
  if (said == nullptr) return std::nullopt;
  Json json = *said;
  if (!said->contains("format")) {
    const std::string name = said->is_string() ? said->text() : said->at("of").text();
    json = Json::parse(base::read_file(kFolder / "programs" / (name + ".json")));
  }
  if (const Json* changes = said->find("with")) {
    for (const auto& [path, value] : changes->items()) at_path(json, path) = value;
  }
  base::Result<program::Program> program = program::read_program(json.dump());
  if (!program.ok()) throw std::runtime_error(program.error());
  return std::move(program.value());
}

Reach reach_of_case(const Json& json) {
  Reach out{json.at("inputs").get<std::vector<double>>(), json.at("outputs").get<std::vector<double>>(), {}, {}};
  if (const Json* between = json.find("between")) out.between = between->get<std::vector<double>>();
  if (const Json* most = json.find("most")) out.most_outputs = most->get<std::vector<double>>();
  return out;
}

Case read_case(const Json& json) {
  Case out;
  out.options.policy = json.value("policy", "kernelbench");
  out.options.min_work_share = json.value("min_work_share", 0.0);
  out.options.require_general = json.value("require_general", false);
  out.off_shape.what.message = json.value("off_shape", "");
  if (const Json* file = json.find("file")) out.code = base::read_file(kRoot / file->text());
  if (const Json* source = json.find("source")) out.source = python::source_report_from_json(source->dump()).value();
  out.reference = program_of(json.find("task"));
  out.candidate = program_of(json.find("candidate"));
  out.again = program_of(json.find("again"));
  if (const Json* grid = json.find("grid")) {  // set here: a program with a grid that is too large is not read at all
    for (program::Step& step : out.candidate->forwards.back().steps) {
      if (auto* launch = std::get_if<program::Launch>(&step))
        launch->variants.front().grid = grid->get<std::array<std::int64_t, 3>>();
    }
  }
  if (const Json* launches = json.find("launches")) {
    using Counts = LaunchStanding::Counts;
    static const std::map<std::string, Counts> kCounts = {
        {"work", Counts::kWork}, {"moves data", Counts::kMovesData}, {"no effect", Counts::kNoEffect}};
    for (const auto& [kernel, counts] : launches->items())
      out.launches.push_back({{}, {.file = 1, .line = 7}, kernel, kCounts.at(counts.text())});
  }
  if (const Json* reach = json.find("at_real")) out.at_real = reach_of_case(*reach);
  if (const Json* reach = json.find("verified")) out.verified = reach_of_case(*reach);
  out.times.differing = json.value("differing", 0);
  if (const int wrong = json.value("wrong_when_timed", 0); wrong > 0) out.times.outputs.push_back({.wrong = wrong});
  out.timing.candidate_us = json.value("candidate_us", 0.0);
  if (const Json* floor = json.find("floor_us")) out.timing.floor_us = floor->real();
  if (const Json* share = json.find("work_share")) out.work_share = share->real();
  if (const Json* live = json.find("live")) {
    out.live.kind = live->text() == "agrees" ? python::LiveOutcome::Kind::kAgrees : python::LiveOutcome::Kind::kDiffers;
    out.live.message = live->text();
  }
  return out;
}

// The row that a case is about: rules of the same name look at different things. `row`: of those that fit, from 0.
const Rule* row_of(const std::string& name, const Case& one, int row) {
  for (const Rule& rule : rule_table()) {
    const bool again = rule.looks_at == LooksAt::kTwoRecordings || rule.looks_at == LooksAt::kReplacement;
    if (rule.name == name && rule.check != nullptr && (rule.looks_at == LooksAt::kFile) == one.source.has_value() &&
        again == one.again.has_value() && row-- == 0)
      return &rule;
  }
  return nullptr;
}

TEST(Rules, SayWhatTheirCasesExpect) {
  std::set<const Rule*> broken, held;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem();
    for (const Json& json : Json::parse(base::read_file(entry.path()))) {
      SCOPED_TRACE(name + ": " + json.at("about").text());
      const Case one = read_case(json);
      const Rule* rule = row_of(name, one, json.value("row", 0));
      ASSERT_NE(rule, nullptr) << "no row of the table looks at this";
      const Checked violation = rule->check(one.evidence());
      const Json* expected = json.find("breaks");
      ASSERT_EQ(violation.has_value(), expected != nullptr) << (violation ? violation->message : "it holds");
      (violation ? broken : held).insert(rule);
      if (!violation) continue;
      EXPECT_NE(violation->message.find(expected->text()), std::string::npos) << violation->message;
      if (const Json* line = json.find("line")) {
        EXPECT_EQ(violation->at ? violation->at->line : violation->line.line, line->get<int>());
      }
    }
  }
  for (const Rule& rule : rule_table()) {
    if (rule.check == nullptr) continue;
    EXPECT_TRUE(broken.contains(&rule)) << rule.name << " (" << rule.about << "): no case breaks it";
    EXPECT_TRUE(held.contains(&rule)) << rule.name << " (" << rule.about << "): no case holds";
  }
}

TEST(Rules, TheFirstThatIsBrokenEndsIt) {
  const Case one = read_case(Json::parse(R"({"task": "relu_task", "candidate": "relu_task"})"));
  TrialLog log(one.options, "cpu");
  const auto finding =
      first_broken({LooksAt::kRealRecording, LooksAt::kAnyRecording}, one.evidence(), log, Tell::kWhatHolds);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->rule, "not_launched");
  EXPECT_EQ(finding->kind, record::VerdictKind::kInvalid);
  ASSERT_EQ(log.told.checks.size(), 3U);
  EXPECT_EQ(log.told.checks[0], (record::CheckResult{"inputs", true, ""}));
  EXPECT_EQ(log.told.checks[1], (record::CheckResult{"output_numbers", true, ""}));
  EXPECT_EQ(log.told.checks[2], (record::CheckResult{"not_launched", false, "forward launches no Triton kernel"}));
}

TEST(Rules, WhatIsSwitchedOffOrOfAnotherPolicyIsPassedOver) {
  Case one = read_case(Json::parse(R"({"task": "relu_task", "candidate": "batch_norm_in_torch"})"));
  one.options.without = {"inputs", "kernel_in_file", "work"};
  TrialLog log(one.options, "cpu");
  EXPECT_FALSE(first_broken({LooksAt::kRealRecording}, one.evidence(), log, Tell::kWhatHolds));
  EXPECT_EQ(log.told.checks, (std::vector<record::CheckResult>{{"not_launched", true, ""}}));
  one.options.policy = "strict";
  EXPECT_EQ(first_broken({LooksAt::kRealRecording}, one.evidence(), log)->rule, "strict");
}

TEST(RuleTable, NamesEachSwitchOnce) {
  const std::vector<std::string_view> all = switches();
  std::set<std::string_view> expected = {"state", "tiny"};  // protections without a rule
  for (const Rule& rule : rule_table()) {
    if (!rule.off_by.empty()) expected.insert(rule.off_by);
  }
  for (const char* one : {"ast", "work", "copies", "silence"}) EXPECT_TRUE(expected.contains(one)) << one;
  EXPECT_EQ(std::set<std::string_view>(all.begin(), all.end()), expected);
  EXPECT_EQ(all.size(), expected.size());
}

constexpr std::string_view kBegin = "<!-- the table of rules -->\n", kEnd = "<!-- end of the table -->\n";

// "Version 3 of the judge (048c02fa71db):" at the head of the table.
struct Head {
  int version = 0;
  std::string hash;
};

Head head_of(const std::string& table) {
  const std::size_t open = table.find('('), close = table.find(')');
  return {std::atoi(table.c_str() + std::string("Version ").size()), table.substr(open + 1, close - open - 1)};
}

// TRITONRL_WRITE_DOCS=1 writes the page's table anew, where the version tells it from the old one.
TEST(RuleTable, IsTheOneOfTheDocsAndChangesWithTheVersion) {
  const fs::path page = kRoot / "docs" / "judge.md";
  const std::string text = base::read_file(page), table = rules_markdown();
  ASSERT_TRUE(text.find(kBegin) != std::string::npos && text.find(kEnd) != std::string::npos) << page;
  const std::size_t begin = text.find(kBegin) + kBegin.size(), end = text.find(kEnd);
  const std::string told = text.substr(begin, end - begin);
  const Head before = head_of(told), now = head_of(table);
  EXPECT_EQ(judge_version(), std::to_string(now.version));
  if (before.hash != now.hash) {
    ASSERT_GT(now.version, before.version) << "names, stages or kinds have changed: raise `since` of the row, or "
                                              "kVersion in src/judge/rules/rule_table.cpp where a row is gone";
  }
  if (std::getenv("TRITONRL_WRITE_DOCS") != nullptr) {
    base::write_file_atomically(page, text.substr(0, begin) + table + text.substr(end));
    return;
  }
  EXPECT_EQ(told, table) << "write it anew: TRITONRL_WRITE_DOCS=1";
}

}  // namespace
}  // namespace tritonrl::judge
