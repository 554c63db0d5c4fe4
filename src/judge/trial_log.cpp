#include "judge/trial_log.h"

#include <algorithm>

#include "judge/compare.h"
#include "judge/reward.h"
#include "judge/version.h"

namespace tritonrl::judge {
namespace {

std::string line_of(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line < 1 || begin == std::string::npos || begin >= text.size()) return "";
  const std::string out = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t first = out.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : out.substr(first, out.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

TrialLog::TrialLog(const JudgeOptions& options, std::string backend)
    : options_(options), stage_begin_(std::chrono::steady_clock::now()) {
  told.policy = options.policy;
  told.backend = std::move(backend);
  told.judge_version = judge_version();
  const Tolerances tolerances = tolerances_of(options);
  const Tolerance& used = options.type() == "fp32" ? tolerances.single : tolerances.narrow;
  told.protocol = options.protocol;
  told.rtol = used.rtol;
  told.atol = used.atol;
}

void TrialLog::enter(record::Stage stage) {
  const auto now = std::chrono::steady_clock::now();
  told.ms[std::string(to_string(told.stage))] += std::chrono::duration<double, std::milli>(now - stage_begin_).count();
  stage_begin_ = now;
  if (stage == told.stage) return;
  told.stage = stage;
  stage_checks_ = stage_passed_ = 0;
}

void TrialLog::passed(std::string_view name, const std::string& detail) {
  ++stage_checks_;
  ++stage_passed_;
  record::CheckResult check{std::string(name), true, detail};
  // the same rule at several sizes is one line for a person
  if (std::find(told.checks.begin(), told.checks.end(), check) == told.checks.end())
    told.checks.push_back(std::move(check));
}

Finding TrialLog::refuse(Finding finding) {
  ++stage_checks_;
  told.checks.push_back(
      {finding.rule.empty() ? std::string(to_string(told.stage)) : finding.rule, false, finding.what.message});
  return finding;
}

record::Verdict TrialLog::end(const Finding& finding) && {
  const Violation& what = finding.what;
  told.kind = finding.kind;
  told.rule = finding.rule;
  told.message = what.message;
  told.advice = what.advice;
  told.expected = what.expected;
  told.got = what.got;
  told.at = what.at;
  const auto file = static_cast<std::size_t>(what.line.file);
  if (!told.at && what.line.file >= 0 && file < files_.size())
    told.at = record::SourcePlace{files_[file].name, what.line.line, line_of(files_[file].text, what.line.line)};
  return std::move(*this).rewarded();
}

record::Verdict TrialLog::end_passed(const std::string& message) && {
  told.kind = record::VerdictKind::kPassed;
  told.message = message;
  return std::move(*this).rewarded();
}

record::Verdict TrialLog::rewarded() && {
  enter(told.stage);
  const double part = stage_checks_ == 0 ? 0 : static_cast<double>(stage_passed_) / stage_checks_;
  give_reward(told, part, options_);
  return std::move(told);
}

}  // namespace tritonrl::judge
