#include "judge/trial.h"

#include <algorithm>

#include "judge/rules/names.h"

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kLongestRun = 20'000;

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
  if (variation == "signed" || variation == "parameters") return true;
  int place = 0;  // among the wanted ones of the five
  for (const char* one : kVariations) {
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

CandidateRun Trial::runs_at(const record::Task& size, const std::string& at_precision) const {
  CandidateRunOptions how;
  how.garbage_seed = tools.garbage_seed;
  how.run_ms = remaining_ms();
  how.races = on(rules::kRace);
  how.any_dtype = at_precision != precision;
  return {tools.replayer, request_at(size, at_precision, kForwards), how, memo_.get()};
}

}  // namespace tritonrl::judge
