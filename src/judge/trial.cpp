#include "judge/trial.h"

#include <algorithm>
#include <span>

#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"

namespace tritonrl::judge {
namespace {

constexpr std::ptrdiff_t kCounted = 5;  // variations whose number an option limits
// Milliseconds for one recording, processor time of those in one process, and so many times what the reference took.
constexpr std::int64_t kOneRecording = 10'000, kAllRecordings = 5'000;
constexpr double kTimesReference = 20;
// Calls of a recording: so many, and so many times the reference's.
constexpr std::int64_t kFewSteps = 20'000, kTimesSteps = 8;

}  // namespace

bool wants(const JudgeOptions& options, std::string_view variation) {
  const auto& listed = options.variations;
  const auto is_listed = [&](std::string_view one) {
    return std::find(listed.begin(), listed.end(), one) != listed.end();
  };
  if (variation == "original") return true;
  if (!options.enable_multi_input || !is_listed(variation)) return false;
  if (options.without.contains("variation:" + std::string(variation))) return false;
  if (variation == "shape" ? !options.multi_input_shape_variations : !options.multi_input_value_variations)
    return false;
  const auto first_five = std::begin(kVariations) + kCounted;
  if (std::find(std::begin(kVariations), first_five, variation) == first_five) return true;
  int place = 0;  // among the wanted ones of the five
  for (const char* one : std::span(kVariations).first(kCounted)) {
    if (one == variation) break;
    place += is_listed(one);
  }
  return place < options.multi_input_num_tests;
}

Trial::Trial(const JudgeTools& shared, const Submission& submitted, int patience)
    : tools(shared),
      options(shared.options),
      submission(submitted),
      name(submitted.name.empty() ? "candidate.py" : submitted.name),
      task(shared.referee.prepare(submitted.task)),
      precision(task->small ? task->small->precision : ""),
      // the task's own preparation is not the candidate's
      budget(base::Budget::of(options.candidate_ms, options.candidate_mb << 20, patience)),
      memo_(std::make_unique<KernelMemo>()) {}

bool Trial::on(std::string_view protection) const {
  return !options.without.contains(std::string(protection));
}

// The reference is recorded in a fraction of a second: a loop without end in a candidate is not worth half a minute.
python::RecordLimits Trial::record_limits() const {
  const auto more = static_cast<std::int64_t>(kTimesReference * task->reference_record_ms);
  return {.budget = budget.beside_another(), .each_ms = kOneRecording + more, .cpu_ms = kAllRecordings + more};
}

python::RecordRequest Trial::request_at(const record::Task& size, const std::string& at_precision, int forwards) const {
  python::RecordRequest request;
  request.task = size;
  request.candidate = submission.code;
  request.candidate_name = name;
  request.target = &tools.target;
  request.forwards = forwards;
  request.guarded = on(rules::kIntrusion);
  request.precision = at_precision;
  const std::int64_t reference =
      static_cast<std::int64_t>(task->reference.initialise.size() + task->reference.forwards.front().steps.size());
  request.max_steps = std::min(python::kMaxSteps, kFewSteps + kTimesSteps * reference * forwards);
  return request;
}

python::RecordRequest Trial::request_at(const SizedTask& size) const {
  python::RecordRequest request = request_at(size.task, size.precision, size.calls());
  request.first_called = size.first_called;
  return request;
}

SizedCandidate Trial::sized(python::RecordOutcome&& recording) const {
  SizedCandidate out;
  out.recording = std::move(recording);
  if (out.recording.program)
    out.compiled = tools.replayer.compile(out.program(), {.all_variants = true, .budget = budget}, memo_.get());
  return out;
}

std::optional<Finding> Trial::check_again(const program::Program& reference, const program::Program& first,
                                          const program::Program& again) const {
  if (submission.reference_itself) return std::nullopt;
  Evidence one = evidence();
  one.reference = &reference;
  one.candidate = one.again = &again;
  if (auto finding = first_broken({LooksAt::kAnyRecording}, one)) return finding;
  one.candidate = &first;
  return first_broken({LooksAt::kReplacement}, one);
}

CandidateRun Trial::runs_at(const SizedTask& size, std::int64_t most_ms) const {
  CandidateRunOptions how;
  how.garbage_seed = tools.garbage_seed;
  how.run_ms = budget.at_most(most_ms);
  how.limits = record_limits();
  how.budget = budget;
  how.races = on(rules::kRace);
  how.tolerances = tolerances_of(options);
  how.aliasing = on(rules::kAliasing);
  how.any_dtype = size.precision != precision;
  how.check = [this, &size](const program::Program& first, const program::Program& again) {
    return check_again(size.reference, first, again);
  };
  return {tools.replayer, request_at(size), how, memo_.get()};
}

}  // namespace tritonrl::judge
