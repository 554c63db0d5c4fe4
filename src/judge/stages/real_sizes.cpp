#include "judge/stages/real_sizes.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/error.h"
#include "judge/products.h"
#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"
#include "judge/rules/step_access.h"
#include "judge/stages/sample.h"

namespace tritonrl::judge {

using record::VerdictKind;
using RunKind = runner::RunOutcome::Kind;

namespace {

constexpr int kMaxSampledVariants = 16;
constexpr std::int64_t kFewest = 4;  // programs that are sampled where more take too long

runner::RunRequest real_size_request(const Trial& trial, const SizedCandidate& real, int variant, std::int64_t sample) {
  runner::RunRequest how = sample_request(trial, real, variant, sample);
  if (trial.tools.device == nullptr) how.wall_ms = how.machine.wall_ms = trial.remaining_ms();
  return how;
}

// What a run that did not come to its end says of the candidate.
Finding failure_of(const SizedCandidate& real, const runner::RunOutcome& outcome) {
  Finding out{outcome.kind == RunKind::kTimeout ? VerdictKind::kTimeout : VerdictKind::kCrashed,
              to_string(outcome.kind),
              {.message = "at the task's real sizes: " + outcome.message}};
  if (outcome.launches.empty() || outcome.launches.back().findings.empty()) return out;
  const runner::LaunchReport& report = outcome.launches.back();
  const machine::Finding& finding = report.findings.back();
  out.rule = to_string(finding.kind);
  for (const runner::LaunchChoice& one : real.compiled.launches) {
    if (one.at == report.at && one.variant == report.variant)
      out.what.line = real.compiled.kernels[static_cast<std::size_t>(one.image)].source.original(finding.line);
  }
  return out;
}

// What the candidate executes at some size, by a few programs of each launch; nothing is compared.
Coverage sampled_at(const Trial& trial, const record::Task& size, const std::string& precision) {
  Coverage out;
  python::RecordRequest request = trial.request_at(size, precision, 1);
  request.answer = trial.tools.replayer.answerer({.budget = trial.budget});
  const SizedCandidate candidate = trial.sized(trial.tools.replayer.recorder().record(request, trial.record_limits()));
  if (!candidate.refusal().empty()) return out;
  out.add(candidate.program(), candidate.compiled, run_sample(trial, candidate).launches, 0);
  return out;
}

// A candidate that takes another path at large sizes, or goes round a loop more often, is followed as far as can be
// computed.
std::optional<Finding> check_coverage(const Trial& trial, const Coverage& at_real, const std::string& precision,
                                      Verified verified, bool compared, TrialLog& log) {
  std::optional<Coverage::Missing> missing = at_real.missing_in(verified.coverage);
  // where values were compared at the real sizes all rounds were
  if (!missing || (missing->rounds && compared)) return std::nullopt;
  Referee& referee = trial.tools.referee;
  const std::size_t sizes = std::min(kMaxLarger, referee.larger_sizes(*trial.task));
  // The size that helped the last candidate of this task mostly helps this one: it is tried first, without asking.
  const std::optional<std::size_t> known = referee.helpful_size(*trial.task);
  std::vector<std::size_t> order;
  if (known && *known < sizes) order.push_back(*known);
  for (std::size_t next = 0; next < sizes; ++next) {
    if (next != known) order.push_back(next);
  }
  for (const std::size_t next : order) {
    if (!missing) break;
    if (next != known) {
      const Coverage there = sampled_at(trial, referee.larger_task(*trial.task, next), precision);
      if (!there.helps(at_real, verified.coverage)) continue;
    }
    Reached<std::optional<Base>> reached = base_at(trial, referee.larger_original(*trial.task, next));
    if (!reached) return log.refuse(reached.finding());
    std::optional<Base>& larger = *reached;
    if (!larger) continue;
    const DrawResult result = trial.runs_at(*larger->task).judge(larger->candidate, {&larger->original()}).front();
    if (result.not_applicable.empty() && !result.right()) {
      // a loop's next round is looked for where that is cheap
      if ((missing->rounds || next == known) && result.kind == VerdictKind::kTimeout) continue;
      if (verified.own && depends_on_size(result)) continue;  // nor need its blocks divide that size
      Finding finding = log.refuse(finding_of(result));
      finding.what.message = "at a larger size: " + finding.what.message;
      return finding;
    }
    verified.add(larger->candidate, result);
    missing = at_real.missing_in(verified.coverage);
    if (!missing) referee.remember_helpful(*trial.task, next);
  }
  if (!missing) return std::nullopt;
  if (missing->rounds) {
    log.told.notes.push_back("not computed at any size that is small enough: " + missing->what);
    log.told.unseen.emplace_back("loop_rounds");
    return std::nullopt;
  }
  return log.refuse(
      broken(rules::kUnverified,
             {.message = "at the task's real sizes something runs that no verified run executed: " + missing->what,
              .line = missing->at,
              .advice = "take the same path at all sizes, or make it reachable at sizes that can be computed"}));
}

// Where no value could be compared at the real sizes: two sizes at which some constant is as large as there, the
// dearest that can be computed and one of usual price.
std::optional<Finding> check_longer(const Trial& trial, const Verified& verified, TrialLog& log) {
  Referee& referee = trial.tools.referee;
  const std::size_t sizes = referee.larger_sizes(*trial.task);
  if (sizes == 0) return std::nullopt;
  for (const std::size_t index : std::set<std::size_t>{sizes / 2, sizes - 1}) {
    Reached<std::optional<Base>> reached = base_at(trial, referee.larger_original(*trial.task, index));
    if (!reached) return log.refuse(reached.finding());
    if (!*reached) continue;
    Base& longer = **reached;
    const DrawResult result = trial.runs_at(*longer.task).judge(longer.candidate, {&longer.original()}).front();
    if (!result.not_applicable.empty() || result.kind != VerdictKind::kWrong) continue;  // it may be too dear there
    if (verified.own && depends_on_size(result)) continue;
    Finding finding = log.refuse(finding_of(result));
    finding.what.message = "at a larger size: " + finding.what.message;
    return finding;
  }
  return std::nullopt;
}

constexpr double kAllProducts = 0.9, kFewProducts = 0.5;

enum class ProductsSeen : std::uint8_t { kEnough, kInDoubt, kTooFew };

// Whether a sample of the programs does so little of the products that others must hide the rest, or nobody does it.
// Who needs fewer of them needs fewer at some size that is computed whole, but where blocks are larger than that.
ProductsSeen products_seen(const Trial& trial, const SizedCandidate& real,
                           const std::vector<runner::LaunchReport>& launches, double verified) {
  const double sampled = part_of_products(trial.task->reference, real.program(), launches);
  if (verified < kAllProducts || sampled >= kFewProducts) return ProductsSeen::kEnough;
  Referee& referee = trial.tools.referee;
  const std::size_t sizes = referee.larger_sizes(*trial.task);
  bool all = false;
  for (std::size_t i = 0; i < std::min(kMaxLarger, sizes); ++i) {  // the dearest first
    Reached<std::optional<Base>> reached = base_at(trial, referee.larger_original(*trial.task, sizes - 1 - i));
    if (!reached || !*reached) continue;
    Base& larger = **reached;
    const DrawResult result = trial.runs_at(*larger.task).judge(larger.candidate, {&larger.original()}).front();
    if (!result.right()) continue;
    const double there = part_of_products(larger.task->reference, larger.candidate.program(), result.launches);
    if (there < kAllProducts) return ProductsSeen::kEnough;
    all = true;
  }
  return all ? ProductsSeen::kTooFew : ProductsSeen::kInDoubt;
}

}  // namespace

void plan_real_sizes(const Trial& trial, const SizedCandidate& real, const Verified& verified, const RealValues& values,
                     RunBatch& batch, std::vector<RealSample>* out) {
  const std::int64_t wanted = trial.options.sampled_programs;
  const std::int64_t sample = trial.tools.device == nullptr ? wanted : std::min(wanted, kFewSampled);
  for (int variant = 0; variant < std::min(kMaxSampledVariants, variants_of(real.compiled)); ++variant) {
    if (variant > 0 && !verified.variants.empty() && !verified.variants.contains(variant)) continue;
    runner::RunRequest how = real_size_request(trial, real, variant, sample);
    values.ask(how);
    batch.add(how, [out, variant, how](runner::RunOutcome&& outcome) {
      out->push_back({variant, how, std::move(outcome)});
    });
  }
}

RealSizes check_real_sizes(const Trial& trial, const SizedCandidate& real, RealValues& values,
                           std::vector<RealSample> samples, const Base& base, const Verified& verified,
                           const Reach& verified_reach, double verified_products, TrialLog& log) {
  RealSizes out;
  const bool alone = trial.tools.device == nullptr;
  Coverage at_real;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    runner::RunOutcome& outcome = samples[i].outcome;
    // very long programs, or a busy machine: fewer of them say nearly as much
    if (outcome.kind == RunKind::kTimeout && alone)
      outcome =
          trial.tools.replayer.runner().run(real_size_request(trial, real, samples[i].variant, kFewest), trial.budget);
    if (outcome.kind == RunKind::kMalformed) throw base::InfrastructureError("judge", outcome.message);
    if (outcome.kind != RunKind::kCompleted && !alone) return {};  // no model; the GPU says what is wrong with it
    if (outcome.kind != RunKind::kCompleted) {
      out.wrong = log.refuse(failure_of(real, outcome));
      return out;
    }
    const int last = static_cast<int>(real.program().forwards.size()) - 1;
    if (i == 0) at_real.add(real.program(), real.compiled, outcome.launches, last);
    samples[i].how.program = &real.program();  // it has moved
    if (auto finding = values.judge_sample(samples[i].how, outcome)) {
      out.wrong = log.refuse(*finding);
      return out;
    }
    for (runner::LaunchReport& report : outcome.launches) out.launches.push_back(std::move(report));
  }
  if (alone && variants_of(real.compiled) > kMaxSampledVariants) log.told.unseen.emplace_back("configurations");
  log.passed("real sizes", "bounds of " + std::to_string(trial.options.sampled_programs) + " programs a launch");
  // a GPU computes it as a whole
  if (!alone) return out;
  if (const auto finding = values.judge_whole()) {
    out.wrong = log.refuse(*finding);
    return out;
  }
  if (values.compared())
    log.passed("values at real sizes", values.all_programs() ? "all programs" : "sampled programs");
  if (!values.note().empty() && !values.compared())
    log.told.notes.push_back("no values were compared at the real sizes: " + values.note());
  if (const std::string unseen = values.unseen(); !unseen.empty()) log.told.unseen.push_back(unseen);
  if (!trial.on(rules::kUnverified)) return out;
  out.wrong = check_coverage(trial, at_real, base.task->precision, verified, values.compared(), log);
  if (out.wrong) return out;
  if (!values.compared()) out.wrong = check_longer(trial, verified, log);
  if (out.wrong) return out;
  const ProductsSeen seen = products_seen(trial, real, out.launches, verified_products);
  out.time_in_doubt = seen == ProductsSeen::kInDoubt;
  if (out.time_in_doubt)
    log.told.notes.emplace_back(
        "the programs that were executed at the real sizes do a part of the reference's products alone, at small sizes "
        "they do all of them: no speed-up is believed");
  if (seen == ProductsSeen::kTooFew) {
    out.wrong = log.refuse(broken(
        rules::kUnverified,
        {.message = "at the task's real sizes the programs that were executed do a part of the reference's products "
                    "alone; at all others that were computed they do all of them",
         .advice = "share the work evenly between programs, and let none depend on what others leave in memory"}));
    return out;
  }
  const Reach reach = reach_of(real.program(), out.launches);
  Evidence evidence = trial.evidence();
  evidence.reference = &trial.task->reference;
  evidence.candidate = &real.program();
  evidence.reach_at_real = &reach;
  evidence.reach_verified = &verified_reach;
  out.wrong = first_broken({LooksAt::kReach}, evidence, log, Tell::kWhatHolds);
  return out;
}

}  // namespace tritonrl::judge
