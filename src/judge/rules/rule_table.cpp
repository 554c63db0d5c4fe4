#include "judge/rules/rule_table.h"

#include <algorithm>

#include "base/sha256.h"
#include "judge/rules/groups.h"
#include "judge/rules/names.h"
#include "judge/trial_log.h"
#include "judge/version.h"

namespace tritonrl::judge {
namespace {

// Raised where equal submissions may get other verdicts than before, and no rule's own `since` says it: other
// tolerances, sizes, costs.
constexpr int kVersion = 16;

std::string_view name_of(LooksAt what) {
  switch (what) {
    case LooksAt::kFile:
      return "the file";
    case LooksAt::kRealRecording:
      return "the real sizes";
    case LooksAt::kAnyRecording:
      return "every recorded size";
    case LooksAt::kLaunches:
      return "the real launches";
    case LooksAt::kTwoRecordings:
      return "two processes";
    case LooksAt::kReplacement:
      return "a recording in the place of another";
    case LooksAt::kOutputs:
      return "the real outputs";
    case LooksAt::kKernels:
      return "each launch alone and left out";
    case LooksAt::kSizes:
      return "other sizes";
    case LooksAt::kReach:
      return "the real sizes, sampled";
    case LooksAt::kTimedRuns:
      return "timed runs";
    case LooksAt::kTimes:
      return "measured times";
    case LooksAt::kShare:
      return "modelled times";
    case LooksAt::kLive:
      return "a live run";
    case LooksAt::kOnTheWay:
      return "what happens on the way";
  }
  return "";
}

bool is_off(const Rule& rule, const JudgeOptions& options) {
  if (!rule.policy.empty() && rule.policy != options.policy) return true;
  return !rule.off_by.empty() && options.without.contains(std::string(rule.off_by));
}

}  // namespace

std::string judge_version() {
  int out = kVersion;
  for (const Rule& rule : rule_table()) out = std::max(out, rule.since);
  return std::to_string(out);
}

const std::vector<Rule>& rule_table() {
  static const std::vector<Rule> table = [] {
    std::vector<Rule> out;
    for (const auto group : {file_rules, program_rules, work_rules, stability_rules, target_rules, output_rules,
                             kernel_rules, time_rules}) {
      out.insert(out.end(), group().begin(), group().end());
    }
    return out;
  }();
  return table;
}

std::vector<std::string_view> switches() {
  std::vector<std::string_view> out;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  for (const Rule& rule : rule_table()) add(rule.off_by);
  for (const std::string_view protection : {rules::kState, rules::kTiny}) add(protection);
  return out;
}

std::optional<Finding> first_broken(std::initializer_list<LooksAt> looks_at, const Evidence& evidence,
                                    std::vector<std::string_view>* held) {
  for (const Rule& rule : rule_table()) {
    const bool asked = std::find(looks_at.begin(), looks_at.end(), rule.looks_at) != looks_at.end();
    if (!asked || rule.check == nullptr || is_off(rule, evidence.options)) continue;
    if (Checked violation = rule.check(evidence))
      return Finding{rule.kind, std::string(rule.name), std::move(*violation)};
    if (held != nullptr) held->push_back(rule.name);
  }
  return std::nullopt;
}

std::optional<Finding> first_broken(std::initializer_list<LooksAt> looks_at, const Evidence& evidence, TrialLog& log,
                                    Tell tell) {
  std::vector<std::string_view> held;
  std::optional<Finding> out = first_broken(looks_at, evidence, &held);
  if (tell == Tell::kWhatHolds) {
    for (const std::string_view name : held) log.passed(name);
  }
  if (out) out = log.refuse(*std::move(out));
  return out;
}

Finding broken(std::string_view rule, Violation what) {
  const auto& table = rule_table();
  const auto row = std::find_if(table.begin(), table.end(), [&](const Rule& one) { return one.name == rule; });
  return {row->kind, std::string(rule), std::move(what)};
}

std::string rules_markdown() {
  std::string rows, text;
  const auto code = [](std::string_view word) { return word.empty() ? "" : "`" + std::string(word) + "`"; };
  for (const Rule& rule : rule_table()) {
    for (const std::string_view part : {rule.name, to_string(rule.stage), to_string(rule.kind), rule.policy})
      text += std::string(part) + "\t";
    text += "\n";
    rows += "| " + code(rule.name) + " | " + std::string(to_string(rule.stage)) + " | " + code(to_string(rule.kind)) +
            " | " + std::string(name_of(rule.looks_at)) + " | " + code(rule.off_by) + " | " + std::string(rule.about) +
            (rule.policy.empty() ? "" : " (policy " + code(rule.policy) + " only)") + " |\n";
  }
  return "Version " + judge_version() + " of the judge (" + base::sha256(text).substr(0, 12) + "):\n\n" +
         "| rule | stage | kind | looks at | `--without` | refuses |\n|---|---|---|---|---|---|\n" + rows;
}

}  // namespace tritonrl::judge
