#include "judge/stages/measure.h"

#include <algorithm>
#include <random>

#include "base/error.h"
#include "judge/machine_code.h"
#include "judge/mending.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/tensor_text.h"
#include "judge/stages/judge_times.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {

using record::VariationResult;
using record::VerdictKind;
using runner::RunOutcome;

namespace {

// The last applies to every task, and is timed.
constexpr const char* kOnDevice[] = {"original", "scaled", "signed", "uneven", "seed"};
constexpr std::uint64_t kSeedStep = 0x10001;

// Draws for which one recording holds.
struct Draws {
  std::vector<std::string> variations;
  std::string key;    // of the reference's recording, where it holds for them alone
  bool last = false;  // which is timed
};

// All at once, but for programs that ask for values: those have a recording for each.
std::vector<Draws> draws_for(const Trial& trial, const program::Program& candidate) {
  const bool apart = asks_for_values(candidate) || asks_for_values(trial.task->reference);
  std::vector<Draws> out;
  for (const char* variation : kOnDevice) {
    if (!trial.wants(variation)) continue;
    if (out.empty() || apart) out.emplace_back().key = apart ? " " + std::string(variation) : "";
    out.back().variations.emplace_back(variation);
  }
  if (!out.empty()) out.back().last = true;
  return out;
}

runner::RunRequest request_for(const program::Program& program, const program::Target& target) {
  runner::RunRequest out;
  out.program = &program;
  out.forwards.clear();
  const auto count = static_cast<int>(program.forwards.size());
  for (int f = needs_earlier(program) ? 0 : count - 1; f < count; ++f) out.forwards.push_back(f);
  out.keep_state = true;
  out.want_outputs = false;
  out.memory_bytes = target.memory_bytes / 10 * 9;
  return out;
}

// Why the candidate's outputs cannot be compared with the reference's; empty: they can.
std::string other_outputs(const program::Program& reference, const program::Program& candidate) {
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(candidate.forwards.back().outputs);
  if (want.size() != have.size())
    return std::to_string(have.size()) + " output tensors, the reference has " + std::to_string(want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (tensor_of(reference, want[i]).sizes != tensor_of(candidate, have[i]).sizes)
      return "output " + std::to_string(i) + " has another shape than the reference's";
  }
  return "";
}

const program::LaunchVariant& variant_of(const program::Program& program, const runner::LaunchChoice& choice) {
  const auto& steps = choice.at.section == runner::Section::kInitialise
                          ? program.initialise
                          : program.forwards[static_cast<std::size_t>(choice.at.forward)].steps;
  const auto& launch = std::get<program::Launch>(steps[static_cast<std::size_t>(choice.at.step)]);
  return launch.variants[static_cast<std::size_t>(choice.variant)];
}

// All variants that were verified at small sizes, with their machine code.
runner::RunRequest candidate_request(const Trial& trial, const SizedCandidate& real, const std::set<int>& variants) {
  runner::RunRequest out = request_for(real.program(), trial.tools.target);
  out.garbage_seed = trial.tools.garbage_seed + 17;
  out.images.resize(real.compiled.kernels.size());
  for (const runner::LaunchChoice& choice : real.compiled.launches) {
    const auto image = static_cast<std::size_t>(choice.image);
    if (choice.variant != 0 && !variants.contains(choice.variant)) continue;
    out.launches.push_back(choice);
    if (out.images[image].code) continue;
    out.images[image].signature = real.compiled.images[image].signature;
    out.images[image].code = machine_code_of(real.compiled.kernels[image], variant_of(real.program(), choice));
  }
  return out;
}

// Recorded again with what the GPU found; nothing: that does not help. `known` grows.
Reached<std::optional<SizedCandidate>> mended(const Trial& trial, const program::Program& reference,
                                              const program::Program& first, const RunOutcome& outcome,
                                              Mending& known) {
  const std::optional<SizedCandidate> nothing;
  if (!known.learn(outcome)) return nothing;
  python::RecordRequest request = trial.request_at(trial.submission.task, trial.precision, kForwards);
  if (trial.submission.reference_itself) request.candidate.clear();
  request.answer = trial.tools.replayer.answerer({.most_bytes = kAnswerableBytes, .budget = trial.budget});
  SizedCandidate out;
  out.recording = trial.tools.replayer.recorder().record(known.applied(std::move(request)), trial.record_limits());
  if (!out.recording.program) return nothing;
  if (auto finding = trial.check_again(reference, first, out.program())) return *std::move(finding);
  out.compiled = trial.tools.replayer.compile(
      out.program(), {.machine_code = MachineCodeFor::kAll, .all_variants = true, .budget = trial.budget},
      &trial.memo());
  if (out.compiled.failure) return nothing;
  return std::optional(std::move(out));
}

runner::DeviceReport report_of(const Trial& trial, const program::Program& reference, const SizedCandidate& real,
                               const std::set<int>& variants, const Draws& draws) {
  const runner::RunRequest asked = request_for(reference, trial.tools.target);
  const runner::RunRequest candidate = candidate_request(trial, real, variants);
  runner::DeviceWork work = device_work(trial.options);
  work.reference = &asked;
  work.candidate = &candidate;
  work.timed = work.timed && draws.last;
  for (const std::string& variation : draws.variations)
    work.draws.push_back({variation, trial.tools.garbage_seed + (variation == "seed" ? kSeedStep : 0)});
  const auto outputs = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(real.program().forwards.back().outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tolerance tolerance = tolerance_of(tensor_of(reference, outputs[i]).dtype, tolerances_of(trial.options));
    work.tolerances.push_back({tensor_of(real.program(), have[i]).dtype, tolerance.atol, tolerance.rtol});
  }
  work.tuned = variants_of(real.compiled) > 1;
  work.secret = std::random_device{}();
  return trial.tools.device->judge(work);
}

VariationResult variation_of(const runner::DeviceDrawResult& draw) {
  VariationResult out;
  out.name = draw.variation;
  out.size = "real";
  out.message = draw.not_applicable;
  out.status = !draw.not_applicable.empty() ? VariationResult::Status::kNotApplicable
               : draw.right()               ? VariationResult::Status::kPassed
                                            : VariationResult::Status::kFailed;
  double error = 0;
  for (const runner::OutputComparison& one : draw.outputs) error = std::max(error, one.max_error);
  if (!draw.outputs.empty()) out.max_error = error;
  return out;
}

// What is wrong with a draw that is not right; nothing where none of its outputs is to blame.
std::optional<Finding> finding_of(const runner::DeviceDrawResult& draw, const program::Program& real) {
  const std::string where = "at the task's real sizes, on the GPU, variation " + draw.variation + ": ";
  const RunOutcome& outcome = draw.outcome;
  if (outcome.kind == RunOutcome::Kind::kMalformed) throw base::InfrastructureError("device", outcome.message);
  if (outcome.kind != RunOutcome::Kind::kCompleted) {
    const bool refused = outcome.kind == RunOutcome::Kind::kNotExecutable;
    Finding out{kind_of(outcome),
                refused ? std::string(rules::kNotExecutable) : to_string(outcome.kind),
                {.message = where + outcome.message}};
    if (outcome.at && outcome.at->section == runner::Section::kForward) {
      const auto& steps = real.forwards[static_cast<std::size_t>(outcome.at->forward)].steps;
      const auto step = static_cast<std::size_t>(outcome.at->step);
      if (step < steps.size()) out.what.line = program::place_of(steps[step]);
    }
    return out;
  }
  if (draw.broken_fences > 0) {
    return Finding{
        VerdictKind::kCrashed,
        "out_of_bounds",
        {.message = where + "a kernel wrote " + std::to_string(draw.broken_fences) + " bytes beside its tensors"}};
  }
  for (std::size_t i = 0; i < draw.outputs.size(); ++i) {
    const runner::OutputComparison& one = draw.outputs[i];
    if (one.wrong == 0) continue;
    char text[200];
    std::snprintf(text, sizeof text, "output %zu, element %lld: expected %.9g, got %.9g; %lld elements differ", i,
                  static_cast<long long>(one.first), one.expected, one.got, static_cast<long long>(one.wrong));
    return Finding{VerdictKind::kWrong, "", {.message = where + text}};
  }
  return std::nullopt;
}

std::optional<Finding> judge_draws(const runner::DeviceReport& report, const program::Program& real, TrialLog& log) {
  for (const runner::DeviceDrawResult& draw : report.draws) {
    log.told.variations.push_back(variation_of(draw));
    if (!draw.not_applicable.empty()) continue;
    if (draw.right()) {
      log.passed("real:" + draw.variation);
    } else if (auto finding = finding_of(draw, real)) {
      return log.refuse(*std::move(finding));
    }
  }
  return std::nullopt;
}

}  // namespace

runner::DeviceWork device_work(const JudgeOptions& options) {
  runner::DeviceWork out;
  out.timed = options.enable_calibrated_timing;
  out.all_draws = !options.enable_staged_eval;
  out.time_wrong = !options.staged_skip_timing_on_failure;
  out.warmup = options.timing_num_warmup;
  out.trials = options.timing_num_trials;
  out.use_events = options.timing_use_events;
  out.tf32 = options.protocol == "tf32";
  return out;
}

namespace {

// These draws, with the candidate and its reference recorded again for as long as that helps. The candidate in `real`
// is the one that was judged.
Reached<runner::DeviceReport> measure_draws(const Trial& trial, const Full& full, const Draws& draws,
                                            SizedCandidate& real, Mending& known, TrialLog& log) {
  const std::string key = task_key(trial.submission.task) + draws.key;
  const std::shared_ptr<const program::Program> recorded(trial.task, &trial.task->reference);
  for (;;) {
    const std::shared_ptr<const program::Program> reference = trial.tools.references->find(key, recorded);
    if (const std::string why = other_outputs(*reference, real.program()); !why.empty())
      return log.refuse({VerdictKind::kWrong, "", {.message = why}});
    runner::DeviceReport report = report_of(trial, *reference, real, full.variants, draws);
    log.told.ms["device_wait"] += report.waited_ms;
    log.told.ms["device_numerics"] += report.numerics_ms;
    log.told.ms["device_timing"] += report.timing_ms;
    if (report.reference.kind != RunOutcome::Kind::kCompleted) {
      python::RecordRequest request;
      request.task = trial.submission.task;
      request.target = &trial.tools.target;
      request.precision = trial.precision;
      request.answer = trial.tools.replayer.answerer({.most_bytes = kAnswerableBytes, .budget = trial.budget});
      if (trial.tools.references->mend(key, std::move(request), report.reference, trial.tools.replayer.recorder()))
        continue;
      const std::string where = report.reference.at ? " at step " + std::to_string(report.reference.at->step) : "";
      throw base::InfrastructureError("device", "the reference does not run at the task's own sizes" + where + ": " +
                                                    to_string(report.reference.kind) + " " + report.reference.message);
    }
    if (!report.draws.empty()) {
      auto again = mended(trial, *reference, real.program(), report.draws.back().outcome, known);
      if (!again) return log.refuse(again.finding());
      if (*again) {
        real = *std::move(*again);
        continue;
      }
    }
    return report;
  }
}

}  // namespace

Reached<Measured> measure(const Trial& trial, const Full& full, TrialLog& log) {
  Measured out{full.real};
  Mending known;
  for (const Draws& draws : draws_for(trial, full.real.program())) {
    known.forget_answers();
    Reached<runner::DeviceReport> report = measure_draws(trial, full, draws, out.real, known, log);
    if (!report) return report.finding();
    if (auto finding = judge_draws(*report, out.real.program(), log)) return *std::move(finding);
    if (!draws.last) continue;
    if (auto finding = judge_times(trial, *report, full.launches, out.real.program(), log)) return *std::move(finding);
  }
  return out;
}

}  // namespace tritonrl::judge
