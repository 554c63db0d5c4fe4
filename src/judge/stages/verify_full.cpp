#include "judge/stages/verify_full.h"

#include <algorithm>
#include <map>

#include "judge/products.h"
#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"
#include "judge/stages/further_runs.h"
#include "judge/stages/launches.h"
#include "judge/stages/real_sizes.h"

namespace tritonrl::judge {

using record::VariationResult;
using record::VerdictKind;

namespace {

// A variation at a size or in a type of its own.
struct OtherSize {
  const SizedTask* task = nullptr;  // null: the reference accepts no such
  std::optional<SizedCandidate> candidate;
  std::vector<DrawResult> results;

  std::string refusal() const { return candidate->refusal(); }
};

// All runs of the stage, which are executed together in one process.
struct Runs {
  Base base;
  std::vector<DrawResult> results;  // of the base's draws
  std::map<std::string, OtherSize> others;
  LaunchRuns launches;
  std::vector<RealSample> samples;
  std::optional<RealValues> values;  // at the real sizes
};

std::vector<const Draw*> draws_of(const Trial& trial, const Base& base) {
  std::vector<const Draw*> out;
  for (const Draw& draw : base.task->draws) {
    // the GPU has these at the real sizes; but it leaves whole numbers as they are, which "signed" changes
    const bool there = trial.tools.device != nullptr && (draw.variation == "seed" || draw.variation == "scaled");
    if (trial.wants(draw.variation) && !there) out.push_back(&draw);
  }
  return out;
}

Runs run_all(const Trial& trial, Base base, Compiled& compiled, const Verified& tiny) {
  Runs out;
  out.base = std::move(base);
  RunBatch batch;
  const std::vector<const Draw*> draws = draws_of(trial, out.base);
  const bool judges_kernels = !trial.submission.reference_itself;
  CandidateRun runs = trial.runs_at(*out.base.task);
  runs.plan(batch, out.base.candidate, draws, &out.results);
  if (judges_kernels) {
    plan_launches(trial, out.base, batch, &out.launches);
    out.values.emplace(trial, compiled.real);
    plan_real_sizes(trial, compiled.real, tiny, *out.values, batch, &out.samples);
  }
  const auto add_other = [&](const char* name, const std::optional<SizedTask>& task,
                             std::optional<SizedCandidate>& candidate) {
    if (!trial.wants(name)) return;
    OtherSize& other = out.others[name];
    if (!task || !candidate) return;
    other.task = &*task;
    other.candidate = std::move(candidate);
  };
  add_other("shape", trial.task->odd, compiled.odd);
  add_other("dtype", trial.task->half, compiled.half);
  std::map<std::string, CandidateRun> other_runs;
  for (auto& [name, other] : out.others) {
    if (other.task == nullptr || !other.refusal().empty()) continue;
    const auto at = other_runs.emplace(name, trial.runs_at(*other.task)).first;
    at->second.plan(batch, *other.candidate, {other.task->find("original")}, &other.results);
  }
  runner::Runner& runner = trial.tools.replayer.runner();
  batch.run(runner, trial.budget);
  if (runs.complete(out.base.candidate, draws, &out.results) && judges_kernels) {
    // recorded again: what was run of the first recording's launches says nothing
    plan_launches(trial, out.base, batch, &out.launches);
    batch.run(runner, trial.budget);
  }
  for (auto& [name, one] : other_runs) {
    OtherSize& other = out.others.at(name);
    one.complete(*other.candidate, {other.task->find("original")}, &other.results);
  }
  return out;
}

void tell_variation(const DrawResult& result, const std::string& name, TrialLog& log) {
  VariationResult out;
  out.name = name;
  out.status = !result.not_applicable.empty() ? VariationResult::Status::kNotApplicable
               : result.right()               ? VariationResult::Status::kPassed
                                              : VariationResult::Status::kFailed;
  out.message = !result.not_applicable.empty() ? result.not_applicable : result.message;
  if (result.comparison) {
    out.max_error = result.comparison->max_error;
    if (!result.comparison->other_dtype.empty()) log.told.notes.push_back(name + ": " + result.comparison->other_dtype);
  }
  log.told.variations.push_back(std::move(out));
  if (result.right()) log.passed("variation:" + name);
}

// At the base: the first of its draws that is wrong.
std::optional<Finding> judge_values(const Runs& runs, Verified& verified, TrialLog& log) {
  const DrawResult* worst = nullptr;
  for (const DrawResult& result : runs.results) {
    tell_variation(result, result.variation, log);
    if (!result.not_applicable.empty()) continue;
    if (result.right()) {
      verified.add(runs.base.candidate, result);
    } else if (worst == nullptr) {
      worst = &result;
    }
  }
  if (worst == nullptr) return std::nullopt;
  Finding out = log.refuse(finding_of(*worst));
  if (worst->variation == "original") return out;
  if (worst->variation == "parameters" && out.kind == VerdictKind::kWrong && out.rule.empty()) {
    out.rule = rules::kIgnoresParameters;
    out.what.advice =
        "use the module's weights and biases as they are; that they start as ones and zeros is no promise";
  }
  out.what.message = "variation " + worst->variation + ": " + out.what.message;
  return out;
}

// Wrong at a size at which its blocks may not fit.
void tell_other_size(const DrawResult& result, const char* name, TrialLog& log) {
  VariationResult told;
  told.name = name;
  told.status = VariationResult::Status::kNotApplicable;
  told.message = "wrong where its blocks do not divide the sizes: " + result.message;
  log.told.variations.push_back(std::move(told));
}

// At a size or in a type of its own.
std::optional<Finding> judge_other(const Trial& trial, const Runs& runs, const char* name, const SizedCandidate& real,
                                   Verified& verified, TrialLog& log) {
  const auto found = runs.others.find(name);
  if (found == runs.others.end()) return std::nullopt;
  const OtherSize& other = found->second;
  DrawResult result;
  if (other.task == nullptr) {
    result.not_applicable = "the reference accepts no such sizes or types";
  } else if (const std::string refusal = other.refusal(); !refusal.empty()) {
    result.not_applicable = "the candidate refuses: " + refusal;
  } else if (other.results.front().refuses_size()) {
    result.not_applicable = "the hardware refuses: " + other.results.front().message;
  } else {
    result = other.results.front();
  }
  const auto wrong = [&] {
    Finding out = finding_of(result);
    out.what.message = "variation " + std::string(name) + ": " + out.what.message;
    return out;
  };
  const bool other_size = std::string_view(name) == "shape";
  if (result.not_applicable.empty() && !result.right() && depends_on_size(result)) {
    if (!verified.own && other_size && holds_where_blocks_fit(trial, real, runs.base))
      verified.own = OwnSizes{runs.base, wrong()};
    // in another type it was tried at a size that its blocks may not divide either
    if (verified.own && (other_size || runs.base.task.get() != &*trial.task->small)) {
      tell_other_size(result, name, log);
      return std::nullopt;
    }
  }
  tell_variation(result, name, log);
  if (!result.not_applicable.empty()) return std::nullopt;
  if (result.right()) {
    verified.add(*other.candidate, result);
    return std::nullopt;
  }
  Finding out = log.refuse(wrong());
  if (out.rule.empty() && other_size) out.rule = rules::kFailsOffShape;
  return out;
}

// In the order of the contract.
void sort_variations(std::vector<VariationResult>& variations) {
  const auto order = [](const VariationResult& one) {
    return std::find(std::begin(kVariations), std::end(kVariations), one.name) - std::begin(kVariations);
  };
  std::stable_sort(variations.begin(), variations.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
}

// All are tried, and the first failure is the one to tell.
std::optional<Finding> judge_variations(const Trial& trial, const Runs& runs, const SizedCandidate& real,
                                        Verified& verified, TrialLog& log) {
  const std::optional<Finding> values = judge_values(runs, verified, log);
  const std::optional<Finding> shape = judge_other(trial, runs, "shape", real, verified, log);
  const std::optional<Finding> type = judge_other(trial, runs, "dtype", real, verified, log);
  sort_variations(log.told.variations);
  return values ? values : shape ? shape : type;
}

// Every autotune configuration, where the tiny sizes did not show it.
std::optional<Finding> verify_variants(const Trial& trial, Base& base, std::set<int>& variants, TrialLog& log) {
  if (!variants.empty()) return std::nullopt;
  CandidateRun runs = trial.runs_at(*base.task);
  variants.insert(0);
  for (int variant = 1; variant < std::min(kMaxVariants, variants_of(base.candidate.compiled)); ++variant) {
    const DrawResult result = runs.judge(base.candidate, {&base.original()}, variant).front();
    if (!result.right()) return log.refuse(finding_of(result));
    variants.insert(variant);
  }
  return std::nullopt;
}

// The launches that do work.
Reached<std::vector<runner::StepPlace>> check_launches(const Trial& trial, const Base& base, LaunchRuns runs,
                                                       const program::Program& real, TrialLog& log) {
  std::vector<runner::StepPlace> out;
  const std::vector<LaunchStanding> launches = standings_of(trial, base, std::move(runs), real, log);
  if (launches.empty()) return out;  // the rule on launches is off
  Evidence evidence = trial.evidence();
  evidence.launches = &launches;
  if (const auto finding = first_broken({LooksAt::kKernels}, evidence, log)) return *finding;
  for (const LaunchStanding& one : launches) {
    if (one.counts == LaunchStanding::Counts::kWork) out.push_back(one.at);
  }
  log.passed("launches", std::to_string(out.size()) + " of " + std::to_string(launches.size()) + " do work");
  return out;
}

double products_of_original(const Runs& runs) {
  for (const DrawResult& result : runs.results) {
    if (result.variation == "original" && result.right())
      return part_of_products(runs.base.task->reference, runs.base.candidate.program(), result.launches);
  }
  return 0;
}

Reach reach_of_original(const Runs& runs) {
  for (const DrawResult& result : runs.results) {
    if (result.variation == "original" && result.right())
      return reach_of(runs.base.candidate.program(), result.launches);
  }
  return {};
}

// Of one that is right: the kernels are the cause, at the real sizes too. Fills in what is known of them.
std::optional<Finding> judge_kernels(const Trial& trial, Runs& runs, Verified& verified, Full& out, TrialLog& log) {
  const Reach reach = reach_of_original(runs);
  const double products = products_of_original(runs);
  for (const DrawResult& result : runs.results) {
    if (result.variation != "original" || !result.right()) continue;
    if (auto finding = judge_further(trial, runs.base, result, log)) return finding;
  }
  if (auto finding = verify_variants(trial, runs.base, verified.variants, log)) return finding;
  auto counted = check_launches(trial, runs.base, std::move(runs.launches), out.real.program(), log);
  if (!counted) return counted.finding();
  out.counted = std::move(*counted);
  RealSizes real = check_real_sizes(trial, out.real, *runs.values, std::move(runs.samples), runs.base, verified, reach,
                                    products, log);
  out.launches = std::move(real.launches);
  out.time_in_doubt = real.time_in_doubt;
  return std::move(real.wrong);
}

// Right; and at which sizes?
std::optional<Finding> judge_sizes(const Trial& trial, const Verified& verified, TrialLog& log) {
  log.told.sizes = verified.own ? "own" : "all";
  if (!verified.own) return std::nullopt;
  log.told.unseen.emplace_back("other_sizes");
  Evidence evidence = trial.evidence();
  evidence.off_shape = &verified.own->other;
  return first_broken({LooksAt::kSizes}, evidence, log);
}

}  // namespace

Full verify_full(const Trial& trial, Compiled compiled, Verified verified, TrialLog& log) {
  Full out;
  Reached<Base> base = verified.own ? Reached(verified.own->base) : choose_base(trial, *std::move(compiled.small), log);
  if (!base) {
    out.wrong = base.finding();
    out.real = std::move(compiled.real);
    return out;
  }
  Runs runs = run_all(trial, std::move(*base), compiled, verified);
  out.real = std::move(compiled.real);
  out.wrong = judge_variations(trial, runs, out.real, verified, log);
  if (!out.wrong && !trial.submission.reference_itself) out.wrong = judge_kernels(trial, runs, verified, out, log);
  if (!out.wrong) out.wrong = judge_sizes(trial, verified, log);
  out.base = std::move(runs.base);
  out.variants = std::move(verified.variants);
  return out;
}

}  // namespace tritonrl::judge
