#include "judge/trial.h"

#include <algorithm>
#include <span>

#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kLongestRun = 20'000;
constexpr std::ptrdiff_t kCounted = 5;  // variations whose number an option limits

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

Trial::Trial(const JudgeTools& shared, const Submission& submitted)
    : begin(std::chrono::steady_clock::now()),
      tools(shared),
      options(shared.options),
      submission(submitted),
      name(submitted.name.empty() ? "candidate.py" : submitted.name),
      task(shared.referee.prepare(submitted.task)),
      precision(task->small ? task->small->precision : ""),
      calls(task->small ? task->small->calls() : kForwards),
      memo_(std::make_unique<KernelMemo>()) {}

bool Trial::on(std::string_view protection) const {
  return !options.without.contains(std::string(protection));
}

std::int64_t Trial::remaining_ms() const {
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  return std::clamp<std::int64_t>(options.candidate_ms - used.count(), 1000, kLongestRun);
}

python::RecordRequest Trial::request_at(const record::Task& size, const std::string& at_precision, int forwards) const {
  python::RecordRequest request;
  request.task = size;
  request.candidate = submission.code;
  request.candidate_name = name;
  request.target = &tools.target;
  request.forwards = forwards;
  request.precision = at_precision;
  return request;
}

SizedCandidate Trial::sized(python::RecordOutcome&& recording) const {
  SizedCandidate out;
  out.recording = std::move(recording);
  if (out.recording.program) out.compiled = tools.replayer.compile(out.program(), {.all_variants = true}, memo_.get());
  return out;
}

std::optional<Finding> Trial::check_again(const program::Program& reference, const program::Program& first,
                                          const program::Program& again) const {
  if (submission.reference_itself) return std::nullopt;
  Evidence one = evidence();
  one.reference = &reference;
  one.candidate = &again;
  if (auto finding = first_broken({LooksAt::kAnyRecording}, one)) return finding;
  one.candidate = &first;
  one.again = &again;
  return first_broken({LooksAt::kReplacement}, one);
}

CandidateRun Trial::runs_at(const SizedTask& size) const {
  CandidateRunOptions how;
  how.garbage_seed = tools.garbage_seed;
  how.run_ms = remaining_ms();
  how.races = on(rules::kRace);
  how.tolerances = tolerances_of(options);
  how.aliasing = on(rules::kAliasing);
  how.any_dtype = size.precision != precision;
  how.check = [this, &size](const program::Program& first, const program::Program& again) {
    return check_again(size.reference, first, again);
  };
  return {tools.replayer, request_at(size.task, size.precision, size.calls()), how, memo_.get()};
}

}  // namespace tritonrl::judge
