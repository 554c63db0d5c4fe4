#include "judge/trial.h"

#include <algorithm>

#include "base/error.h"
#include "judge/program_rules.h"
#include "judge/reward.h"
#include "judge/rules.h"
#include "judge/version.h"

namespace tritonrl::judge {

using record::Stage;
using record::VerdictKind;

namespace {

constexpr std::int64_t kLongestRun = 20'000;

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

Trial::Trial(const TrialContext& context, const Submission& submission, std::string code)
    : context_(context),
      options_(context.options),
      submission_(submission),
      code_(std::move(code)),
      begin_(std::chrono::steady_clock::now()),
      stage_begin_(begin_) {
  verdict_.policy = options_.policy;
  verdict_.backend = context.device != nullptr ? "cuda" : "cpu";
  verdict_.judge_version = judge_version();
}

record::Verdict Trial::run() {
  task_ = context_.referee.prepare(submission_.task);
  verdict_.notes = task_->notes;
  stage_begin_ = std::chrono::steady_clock::now();  // the task's own preparation is nobody's time
  enter(Stage::kAst);
  record();
  if (!check_source()) return finish();
  enter(Stage::kCompile);
  if (!compile()) return finish();
  if (!task_->small && context_.device != nullptr && submission_.reference_itself) {
    enter(Stage::kFull);
    if (run_on_device()) verdict_.kind = VerdictKind::kPassed;
    return finish();
  }
  if (!task_->small) {
    enter(Stage::kTiny);
    fail(VerdictKind::kWrong, rules::kUnverified, "nothing could be computed: " + task_->no_small);
    return finish();
  }
  const bool tiny = options_.enable_staged_eval && options_.staged_tiny_batch_first && on(rules::kTiny);
  enter(tiny ? Stage::kTiny : Stage::kFull);
  if (!check(check_output_places(task_->reference, *real_recording_.program), rules::kOutputPlace, VerdictKind::kWrong))
    return finish();
  if (tiny && !run_tiny()) return finish();
  enter(Stage::kFull);
  const bool right = run_full();
  const bool goes_on = right || (!options_.staged_skip_timing_on_failure && !real_launches_.empty());
  if (!goes_on && (context_.device == nullptr || options_.enable_staged_eval)) return finish();
  if (goes_on && options_.enable_calibrated_timing) {
    if (right && context_.device == nullptr) enter(Stage::kTiming);
    if (context_.device == nullptr || !real_launches_.empty() || submission_.reference_itself) model_time();
  }
  if (right && context_.device != nullptr && !run_on_device()) return finish();
  if (!right) {
    if (context_.device != nullptr && !options_.enable_staged_eval) run_wrong_on_device();
    return finish();
  }
  if (verdict_.work_share && *verdict_.work_share < options_.min_work_share) {
    fail(VerdictKind::kCheated, rules::kWorkShare,
         "the kernels do " + std::to_string(*verdict_.work_share) + " of the work; at least " +
             std::to_string(options_.min_work_share) + " is asked for");
    return finish();
  }
  if (options_.live && context_.live != nullptr && !submission_.reference_itself && !run_live()) return finish();
  verdict_.kind = VerdictKind::kPassed;
  verdict_.rule.clear();
  verdict_.message = "right on all variations that apply";
  return finish();
}

record::Verdict Trial::finish() {
  enter(verdict_.stage);
  const double part = stage_checks_ == 0 ? 0 : static_cast<double>(stage_passed_) / stage_checks_;
  give_reward(verdict_, part, options_);
  return std::move(verdict_);
}

void Trial::enter(Stage stage) {
  const auto now = std::chrono::steady_clock::now();
  verdict_.ms[std::string(to_string(verdict_.stage))] +=
      std::chrono::duration<double, std::milli>(now - stage_begin_).count();
  stage_begin_ = now;
  if (stage == verdict_.stage) return;
  verdict_.stage = stage;
  stage_checks_ = stage_passed_ = 0;
}

bool Trial::on(std::string_view rule) const {
  return !options_.without.contains(std::string(rule));
}

bool Trial::wants(std::string_view variation) const {
  if (variation == "original") return true;
  if (!options_.enable_multi_input) return false;
  if (std::find(options_.variations.begin(), options_.variations.end(), variation) == options_.variations.end())
    return false;
  if (!on("variation:" + std::string(variation))) return false;
  if (variation == "shape" ? !options_.multi_input_shape_variations : !options_.multi_input_value_variations)
    return false;
  if (variation == "signed" || variation == "parameters") return true;
  int place = 0;  // among the wanted ones of the five
  for (const char* one : kVariations) {
    if (one == variation) break;
    place += std::find(options_.variations.begin(), options_.variations.end(), one) != options_.variations.end();
  }
  return place < options_.multi_input_num_tests;
}

void Trial::passed(std::string_view name, const std::string& detail) {
  ++stage_checks_;
  ++stage_passed_;
  record::CheckResult check{std::string(name), true, detail};
  // the same rule at several sizes is one line for a person
  if (std::find(verdict_.checks.begin(), verdict_.checks.end(), check) == verdict_.checks.end())
    verdict_.checks.push_back(std::move(check));
}

bool Trial::check(const Checked& violation, std::string_view name, VerdictKind kind) {
  if (!on(name)) return true;
  if (!violation) {
    passed(name);
    return true;
  }
  verdict_.at = place(violation->at);
  verdict_.advice = violation->advice;
  return fail(kind, violation->rule, violation->message);
}

bool Trial::fail(VerdictKind kind, std::string_view rule, const std::string& message) {
  ++stage_checks_;
  verdict_.kind = kind;
  verdict_.rule = rule;
  verdict_.message = message;
  verdict_.checks.push_back(
      {rule.empty() ? std::string(to_string(verdict_.stage)) : std::string(rule), false, message});
  return false;
}

bool Trial::fail(const DrawResult& result) {
  if (result.kind == VerdictKind::kInfrastructure) throw base::InfrastructureError("judge", result.message);
  if (result.comparison) {
    verdict_.expected = result.comparison->expected;
    verdict_.got = result.comparison->got;
  }
  verdict_.at = place(result.at);
  verdict_.advice = result.advice;
  return fail(result.kind, result.rule, result.message);
}

std::optional<record::SourcePlace> Trial::place(const program::SourceLine& at) const {
  if (at.file < 0 || !real_recording_.program) return std::nullopt;
  const auto& files = real_recording_.program->files;
  if (static_cast<std::size_t>(at.file) >= files.size()) return std::nullopt;
  const std::string& file = files[static_cast<std::size_t>(at.file)];
  const std::string& text = file == submission_.task.id ? submission_.task.source : code_;
  return record::SourcePlace{file, at.line, line_of(text, at.line)};
}

std::int64_t Trial::remaining_ms() const {
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_);
  return std::clamp<std::int64_t>(options_.candidate_ms - used.count(), 1000, kLongestRun);
}

python::RecordRequest Trial::request_at(const record::Task& task, const std::string& precision, int forwards) const {
  python::RecordRequest request;
  request.task = task;
  request.candidate = code_;
  request.candidate_name = submission_.name.empty() ? "candidate.py" : submission_.name;
  request.target = &context_.target;
  request.forwards = forwards;
  request.precision = precision;
  return request;
}

CandidateRun Trial::runs_at(const record::Task& task, const std::string& precision) {
  CandidateRunOptions how;
  how.garbage_seed = context_.garbage_seed;
  how.run_ms = remaining_ms();
  how.races = on(rules::kRace);
  how.any_dtype = precision != (task_->small ? task_->small->precision : "");
  return {context_.replayer, request_at(task, precision, kForwards), how, &memo_};
}

SizedCandidate Trial::sized(python::RecordOutcome&& recording) {
  SizedCandidate out;
  out.recording = std::move(recording);
  if (out.recording.program) out.compiled = context_.replayer.compile(out.program(), {.all_variants = true}, &memo_);
  return out;
}

}  // namespace tritonrl::judge
