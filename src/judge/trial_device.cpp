#include <algorithm>
#include <random>

#include "base/error.h"
#include "judge/machine_code.h"
#include "judge/measured_times.h"
#include "judge/rules.h"
#include "judge/speed_floor.h"
#include "judge/step_access.h"
#include "judge/trial.h"
#include "program/cost.h"
#include "runner/structure_tensors.h"

// Stages full and timing on a GPU: the program at the task's own sizes, on real data, against the reference there.

namespace tritonrl::judge {

using record::Stage;
using record::VariationResult;
using record::VerdictKind;
using runner::RunOutcome;

namespace {

constexpr const char* kOnDevice[] = {"original", "scaled", "signed",
                                     "seed"};  // the last applies to every task, and is timed
constexpr int kMostMends = 8;
constexpr std::uint64_t kSeedStep = 0x10001;

const program::Tensor& tensor_at(const program::Program& program, program::TensorRef ref) {
  return program.tensors[static_cast<std::size_t>(ref.index)];
}

std::int64_t device_memory(const program::Target& target) {
  return target.memory_bytes / 10 * 9;
}

runner::RunRequest request_for(const program::Program& program, const program::Target& target) {
  runner::RunRequest out;
  out.program = &program;
  out.forwards.clear();
  const auto count = static_cast<int>(program.forwards.size());
  for (int f = needs_earlier(program) ? 0 : count - 1; f < count; ++f) out.forwards.push_back(f);
  out.keep_state = true;
  out.want_outputs = false;
  out.memory_bytes = device_memory(target);
  return out;
}

// Why the candidate's outputs cannot be compared with the reference's; empty: they can.
std::string other_outputs(const program::Program& reference, const program::Program& candidate) {
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(candidate.forwards.back().outputs);
  if (want.size() != have.size())
    return std::to_string(have.size()) + " output tensors, the reference has " + std::to_string(want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (tensor_at(reference, want[i]).sizes != tensor_at(candidate, have[i]).sizes)
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

VerdictKind kind_of(const RunOutcome& outcome) {
  switch (outcome.kind) {
    case RunOutcome::Kind::kTimeout:
      return VerdictKind::kTimeout;
    case RunOutcome::Kind::kMismatch:
    case RunOutcome::Kind::kOtherAnswer:
      return VerdictKind::kWrong;
    default:
      return VerdictKind::kCrashed;
  }
}

}  // namespace

// All variants that were verified at small sizes, with their machine code.
runner::RunRequest Trial::device_request() {
  const program::Program& program = *real_recording_.program;
  runner::RunRequest out = request_for(program, context_.target);
  out.garbage_seed = context_.garbage_seed + 17;
  out.images.resize(real_.kernels.size());
  for (const runner::LaunchChoice& choice : real_.launches) {
    const auto image = static_cast<std::size_t>(choice.image);
    if (choice.variant != 0 && !verified_variants_.contains(choice.variant)) continue;
    out.launches.push_back(choice);
    if (out.images[image].code) continue;
    out.images[image].parameters = real_.images[image].parameters;
    out.images[image].code = machine_code_of(real_.kernels[image], variant_of(program, choice));
  }
  return out;
}

bool Trial::mend_real_strides(const RunOutcome& outcome) {
  if (outcome.kind != RunOutcome::Kind::kMismatch || !outcome.mismatch || !outcome.mismatch->only_strides ||
      !outcome.at)
    return false;
  real_strides_.push_back(stride_override(outcome));
  python::RecordRequest request = request_at(submission_.task, task_->small ? task_->small->precision : "", kForwards);
  if (submission_.reference_itself) request.candidate.clear();
  request.strides = real_strides_;
  request.answer = context_.replayer.answerer({});
  python::RecordOutcome again = context_.replayer.recorder().record(request);
  if (!again.program) return false;
  CompiledProgram compiled =
      context_.replayer.compile(*again.program, {.machine_code = true, .all_variants = true}, &memo_);
  if (compiled.failure) return false;
  real_recording_ = std::move(again);
  real_ = std::move(compiled);
  return true;
}

bool Trial::run_on_device() {
  const std::string key = task_key(submission_.task);
  const std::shared_ptr<const program::Program> recorded(task_, &task_->reference);
  for (int mend = 0;; ++mend) {
    const std::shared_ptr<const program::Program> reference = context_.references->find(key, recorded);
    if (const std::string why = other_outputs(*reference, *real_recording_.program); !why.empty())
      return fail(VerdictKind::kWrong, "", why);
    const runner::RunRequest asked = request_for(*reference, context_.target), candidate = device_request();
    runner::DeviceWork work;
    work.reference = &asked;
    work.candidate = &candidate;
    for (const char* variation : kOnDevice) {
      if (!wants(variation)) continue;
      const bool other = std::string_view(variation) == "seed";
      work.draws.push_back({variation, context_.garbage_seed + (other ? kSeedStep : 0)});
    }
    const auto outputs = runner::tensors_of(reference->forwards.back().outputs);
    const auto have = runner::tensors_of(real_recording_.program->forwards.back().outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Tolerance tolerance = tolerance_of(tensor_at(*reference, outputs[i]).dtype);
      work.tolerances.push_back({tensor_at(*real_recording_.program, have[i]).dtype, tolerance.atol, tolerance.rtol});
    }
    work.tuned = variants_of(real_) > 1;
    work.timed = options_.enable_calibrated_timing;
    work.all_draws = !options_.enable_staged_eval;
    work.time_wrong = !options_.staged_skip_timing_on_failure;
    work.warmup = options_.timing_num_warmup;
    work.trials = options_.timing_num_trials;
    work.secret = std::random_device{}();
    const runner::DeviceReport report = context_.device->judge(work);
    verdict_.ms["device_wait"] += report.waited_ms;
    verdict_.ms["device_numerics"] += report.numerics_ms;
    verdict_.ms["device_timing"] += report.timing_ms;
    if (mend < kMostMends) {
      if (report.reference.kind == RunOutcome::Kind::kMismatch) {
        python::RecordRequest request;
        request.task = submission_.task;
        request.target = &context_.target;
        request.precision = task_->small ? task_->small->precision : "";
        if (context_.references->mend(key, std::move(request), report.reference, context_.replayer.recorder()))
          continue;
      } else if (!report.draws.empty() && mend_real_strides(report.draws.back().outcome)) {
        continue;
      }
    }
    if (report.reference.kind != RunOutcome::Kind::kCompleted) {
      const std::string where = report.reference.at ? " at step " + std::to_string(report.reference.at->step) : "";
      throw base::InfrastructureError("device", "the reference does not run at the task's own sizes" + where + ": " +
                                                    to_string(report.reference.kind) + " " + report.reference.message);
    }
    return judge_on_device(report);
  }
}

void Trial::run_wrong_on_device() {
  const record::Verdict known = verdict_;
  run_on_device();
  auto ms = std::move(verdict_.ms);
  verdict_ = known;
  verdict_.ms = std::move(ms);
}

bool Trial::judge_on_device(const runner::DeviceReport& report) {
  for (const runner::DeviceDrawResult& draw : report.draws) {
    VariationResult note;
    note.name = draw.variation;
    note.size = "real";
    note.message = draw.not_applicable;
    note.status = !draw.not_applicable.empty() ? VariationResult::Status::kNotApplicable
                  : draw.right()               ? VariationResult::Status::kPassed
                                               : VariationResult::Status::kFailed;
    double error = 0;
    for (const runner::OutputComparison& one : draw.outputs) error = std::max(error, one.max_error);
    if (!draw.outputs.empty()) note.max_error = error;
    verdict_.variations.push_back(note);
    if (!draw.not_applicable.empty()) continue;
    if (draw.right()) {
      passed("real:" + draw.variation);
      continue;
    }
    const std::string where = "at the task's real sizes, on the GPU, variation " + draw.variation + ": ";
    if (draw.outcome.kind == RunOutcome::Kind::kMalformed)
      throw base::InfrastructureError("device", draw.outcome.message);
    if (draw.outcome.kind != RunOutcome::Kind::kCompleted) {
      if (draw.outcome.at && draw.outcome.at->section == runner::Section::kForward) {
        const auto& steps = real_recording_.program->forwards[static_cast<std::size_t>(draw.outcome.at->forward)].steps;
        const auto step = static_cast<std::size_t>(draw.outcome.at->step);
        if (step < steps.size()) verdict_.at = place(program::place_of(steps[step]));
      }
      const bool refused = draw.outcome.kind == RunOutcome::Kind::kNotExecutable;
      return fail(kind_of(draw.outcome), refused ? std::string(rules::kNotExecutable) : to_string(draw.outcome.kind),
                  where + draw.outcome.message);
    }
    if (draw.broken_fences > 0)
      return fail(VerdictKind::kCrashed, "out_of_bounds",
                  where + "a kernel wrote " + std::to_string(draw.broken_fences) + " bytes beside its tensors");
    for (std::size_t i = 0; i < draw.outputs.size(); ++i) {
      const runner::OutputComparison& one = draw.outputs[i];
      if (one.wrong == 0) continue;
      char text[200];
      std::snprintf(text, sizeof text, "output %zu, element %lld: expected %.9g, got %.9g; %lld elements differ", i,
                    static_cast<long long>(one.first), one.expected, one.got, static_cast<long long>(one.wrong));
      return fail(VerdictKind::kWrong, "", where + text);
    }
  }
  if (report.timing.kind != RunOutcome::Kind::kCompleted) {
    enter(Stage::kTiming);
    return fail(kind_of(report.timing), to_string(report.timing.kind), "while it was timed: " + report.timing.message);
  }
  if (!report.times) return true;
  enter(Stage::kTiming);
  for (const runner::OutputComparison& one : report.times->outputs) {
    if (one.wrong > 0)
      return fail(VerdictKind::kCheated, rules::kTimedOutputs, "its result in a timed run is another one than before");
  }
  if (report.times->differing > 0)
    return fail(VerdictKind::kCheated, rules::kTimedOutputs,
                "its results in " + std::to_string(report.times->differing) +
                    " timed runs are others than in the first, on the same inputs");
  keep_times(report);
  if (options_.baseline == "compile" && context_.live != nullptr) measure_over_compile(*report.times);
  const record::Timing& timing = *verdict_.timing;
  if (timing.candidate_us >= kBelievable * timing.floor_us.value_or(0)) return true;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "measured at %.1f µs, but the GPU needs at least %.1f µs to write its outputs and multiply its matrices",
      timing.candidate_us, *timing.floor_us);
  return fail(VerdictKind::kCheated, rules::kImpossibleSpeed, text);
}

void Trial::keep_times(const runner::DeviceReport& report) {
  const runner::MeasuredTimes& times = *report.times;
  const Speedup speedup = speedup_of(times.reference_us, times.candidate_us);
  record::Timing timing;
  if (verdict_.timing) timing.modelled_speedup = verdict_.timing->speedup;
  timing.measured = true;
  timing.target = context_.target.name;
  timing.speedup = speedup.ratio;
  timing.speedup_low = speedup.low;
  timing.speedup_high = speedup.high;
  timing.cv = speedup.candidate.cv;
  timing.reference_us = speedup.reference.mean;
  timing.candidate_us = speedup.candidate.mean;
  timing.trials = static_cast<int>(times.candidate_us.size());
  timing.device = context_.device->facts().name;
  timing.floor_us = floor_us(*real_recording_.program, real_launches_, context_.device->facts(), context_.target);
  timing.reference_host_us = times.reference_host_us;
  timing.candidate_host_us = times.candidate_host_us;
  double over_the_link = 0;
  const program::Program& real = *real_recording_.program;
  for (const program::StepCost& step : program::cost_of(real, context_.target, real.forwards.size() - 1).steps)
    over_the_link += step.cost.host_bytes;
  if (over_the_link > 0)
    verdict_.notes.push_back(
        std::to_string(static_cast<std::int64_t>(over_the_link)) +
        " bytes go to the host or come from it; all is computed on the GPU here, and the way is not "
        "in the measured time");
  if (times.reference_known)
    verdict_.notes.push_back("the reference's time is that of an earlier candidate; trials now agree with it");
  if (times.hidden * 10 < timing.trials * 9)
    verdict_.notes.push_back("the GPU waited for the host in " + std::to_string(timing.trials - times.hidden) + " of " +
                             std::to_string(timing.trials) + " timed runs");
  verdict_.timing = timing;
}

}  // namespace tritonrl::judge
