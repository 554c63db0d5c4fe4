#include <algorithm>

#include "judge/rules.h"
#include "judge/trial.h"

// Stages tiny and full, the values: is it right on every variation that applies?

namespace tritonrl::judge {

using record::VariationResult;
using record::VerdictKind;

namespace {

constexpr int kMaxVariants = 32;              // autotune configurations that are executed
constexpr std::int64_t kManyPrograms = 8192;  // of a forward: a size with fewer shows the same in less time

// An access that the hardware refuses because of the sizes (strides of a tensor descriptor): loud, as a raise is.
bool is_refusal(const DrawResult& result) {
  return result.rule == to_string(machine::Finding::Kind::kMisaligned);
}

// Of the last forward, as the first configuration has it.
std::int64_t programs_of(const SizedCandidate& candidate) {
  std::int64_t out = 0;
  for (const program::Step& step : candidate.program().forwards.back().steps) {
    const auto* launch = std::get_if<program::Launch>(&step);
    if (launch == nullptr || launch->variants.empty()) continue;
    const auto [x, y, z] = launch->variants.front().grid;
    out += x * y * z;
  }
  return out;
}

}  // namespace

void Trial::note_variation(const DrawResult& result, const std::string& name) {
  VariationResult out;
  out.name = name;
  out.status = !result.not_applicable.empty() ? VariationResult::Status::kNotApplicable
               : result.right()               ? VariationResult::Status::kPassed
                                              : VariationResult::Status::kFailed;
  out.message = !result.not_applicable.empty() ? result.not_applicable : result.message;
  if (result.comparison) {
    out.max_error = result.comparison->max_error;
    if (!result.comparison->other_dtype.empty()) verdict_.notes.push_back(name + ": " + result.comparison->other_dtype);
  }
  verdict_.variations.push_back(std::move(out));
  if (result.right()) passed("variation:" + name);
}

bool Trial::run_tiny() {
  if (!task_->tiny || !tiny_recording_) return true;
  const Draw* draw = task_->tiny->find("original");
  SizedCandidate tiny = sized(std::move(*tiny_recording_));
  if (const std::string refusal = tiny.refusal(); !refusal.empty()) {
    verdict_.notes.push_back("tiny: the candidate refuses these sizes: " + refusal);
    return true;
  }
  passed("tiny sizes accepted");
  CandidateRun runs = runs_at(task_->tiny->task, task_->tiny->precision);
  const int variants = std::min(kMaxVariants, variants_of(tiny.compiled));
  for (int variant = 0; variant < variants; ++variant) {
    const DrawResult result = runs.judge(tiny, {draw}, variant).front();
    if (!result.not_applicable.empty()) return true;
    if (is_refusal(result)) {
      verdict_.notes.push_back("tiny: the hardware refuses these sizes: " + result.message);
      return true;
    }
    if (!result.right()) return fail(result);
    passed("tiny", variants > 1 ? "configuration " + std::to_string(variant) : "");
    verified_variants_.insert(variant);
    add_coverage(tiny, result);
  }
  return true;
}

bool Trial::choose_base() {
  base_ = sized(std::move(*small_recording_));
  base_task_ = std::shared_ptr<const SizedTask>(task_, &*task_->small);
  const std::string refusal = base_->refusal();
  if (refusal.empty()) {
    if (programs_of(*base_) > kManyPrograms) try_size(context_.referee.lighter(*task_));
    return true;
  }
  for (std::size_t next = 0; next < std::min(kMaxLarger, context_.referee.larger_sizes(*task_));) {
    if (try_larger(&next)) return true;
  }
  return fail(VerdictKind::kWrong, rules::kUnverified,
              "the candidate refuses every size that can be computed here: " + refusal);
}

// The next larger size that the candidate takes becomes the base; `next` is moved on.
bool Trial::try_larger(std::size_t* next) {
  return try_size(context_.referee.larger(*task_, (*next)++));
}

bool Trial::try_size(std::shared_ptr<const SizedTask> size) {
  if (!size) return false;
  python::RecordRequest request = request_at(size->task, size->precision, kForwards);
  const Draw* draw = size->find("original");
  request.answer = context_.replayer.answerer({.seed = draw->seed, .inputs = draw->inputs});
  SizedCandidate candidate = sized(context_.replayer.recorder().record(request));
  if (!candidate.refusal().empty()) return false;
  base_ = std::move(candidate);
  base_task_ = std::move(size);
  return true;
}

void Trial::add_coverage(const SizedCandidate& candidate, const DrawResult& result) {
  verified_.add(candidate.program(), candidate.compiled, result.launches,
                static_cast<int>(candidate.program().forwards.size()) - 1);
}

void Trial::plan_runs() {
  RunBatch batch;
  base_draws_.clear();
  for (const Draw& draw : base_task_->draws) {
    // other values are tried on the GPU, at the real sizes
    const bool there = context_.device != nullptr && draw.variation != "original" && draw.variation != "parameters";
    if (wants(draw.variation) && !there) base_draws_.push_back(&draw);
  }
  CandidateRun runs = runs_at(base_task_->task, base_task_->precision);
  runs.plan(batch, *base_, base_draws_, &base_results_);
  if (!submission_.reference_itself) {
    plan_launches(batch);
    plan_real_sizes(batch);
  }
  const auto add_other = [&](const char* name, const std::optional<SizedTask>& task,
                             std::optional<python::RecordOutcome>& recording) {
    if (!wants(name)) return;
    Other& other = others_[name];
    if (!task || !recording) return;
    other.task = &*task;
    other.candidate = sized(std::move(*recording));
    other.refusal = other.candidate->refusal();
  };
  add_other("shape", task_->odd, odd_recording_);
  add_other("dtype", task_->half, half_recording_);
  std::map<std::string, CandidateRun> other_runs;
  for (auto& [name, other] : others_) {
    if (other.task == nullptr || !other.refusal.empty()) continue;
    const auto [at, fresh] = other_runs.emplace(name, runs_at(other.task->task, other.task->precision));
    at->second.plan(batch, *other.candidate, {other.task->find("original")}, &other.results);
  }
  batch.run(context_.replayer.runner());
  if (runs.complete(*base_, base_draws_, &base_results_) && !submission_.reference_itself) {
    // recorded again: what was run of the first recording's launches says nothing
    plan_launches(batch);
    batch.run(context_.replayer.runner());
  }
  for (auto& [name, one] : other_runs) {
    Other& other = others_.at(name);
    one.complete(*other.candidate, {other.task->find("original")}, &other.results);
  }
}

bool Trial::judge_values() {
  const DrawResult* worst = nullptr;
  for (const DrawResult& result : base_results_) {
    note_variation(result, result.variation);
    if (!result.not_applicable.empty()) continue;
    if (result.right()) {
      add_coverage(*base_, result);
      if (result.variation == "original") verified_reach_ = reach_of(base_->program(), result.launches);
    } else if (worst == nullptr) {
      worst = &result;
    }
  }
  if (worst == nullptr) return true;
  fail(*worst);
  if (worst->variation == "original") return false;
  if (worst->variation == "parameters" && verdict_.kind == VerdictKind::kWrong && verdict_.rule.empty()) {
    verdict_.rule = rules::kIgnoresParameters;
    verdict_.advice =
        "use the module's weights and biases as they are; that they start as ones and zeros is no promise";
  }
  verdict_.message = "variation " + worst->variation + ": " + verdict_.message;
  return false;
}

bool Trial::judge_one(const char* name, std::string_view rule) {
  const auto found = others_.find(name);
  if (found == others_.end()) return true;
  const Other& other = found->second;
  DrawResult result;
  if (other.task == nullptr) {
    result.not_applicable = "the reference accepts no such sizes or types";
  } else if (!other.refusal.empty()) {
    result.not_applicable = "the candidate refuses: " + other.refusal;
  } else {
    result = other.results.front();
    if (is_refusal(result)) {
      result = {};
      result.not_applicable = "the hardware refuses: " + other.results.front().message;
    }
  }
  note_variation(result, name);
  if (!result.not_applicable.empty()) return true;
  if (result.right()) {
    add_coverage(*other.candidate, result);
    return true;
  }
  fail(result);
  if (verdict_.rule.empty()) verdict_.rule = rule;
  verdict_.message = "variation " + std::string(name) + ": " + verdict_.message;
  return false;
}

// Every autotune configuration, where the tiny sizes did not show it.
bool Trial::verify_variants() {
  if (!verified_variants_.empty()) return true;
  const Draw* original = base_task_->find("original");
  CandidateRun runs = runs_at(base_task_->task, base_task_->precision);
  verified_variants_.insert(0);
  for (int variant = 1; variant < std::min(kMaxVariants, variants_of(base_->compiled)); ++variant) {
    const DrawResult result = runs.judge(*base_, {original}, variant).front();
    if (!result.right()) return fail(result);
    verified_variants_.insert(variant);
  }
  return true;
}

bool Trial::run_full() {
  if (!choose_base()) return false;
  plan_runs();
  bool right = judge_values();
  const record::Verdict first = verdict_;
  const bool shape = judge_one("shape", rules::kFailsOffShape);
  const record::Verdict second = verdict_;
  const bool type = judge_one("dtype", "");
  // the first failure is the one to tell
  if (const record::Verdict* kept = !right ? &first : (!shape ? &second : nullptr); kept != nullptr) {
    verdict_.kind = kept->kind;
    verdict_.rule = kept->rule;
    verdict_.message = kept->message;
    verdict_.at = kept->at;
    verdict_.advice = kept->advice;
    verdict_.expected = kept->expected;
    verdict_.got = kept->got;
  }
  right = right && shape && type;
  // variations in the order of the contract
  const auto order = [](const VariationResult& one) {
    return std::find(std::begin(kVariations), std::end(kVariations), one.name) - std::begin(kVariations);
  };
  std::stable_sort(verdict_.variations.begin(), verdict_.variations.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  if (!right) return false;
  if (submission_.reference_itself) return true;
  return verify_variants() && check_launches() && check_real_sizes();
}

}  // namespace tritonrl::judge
