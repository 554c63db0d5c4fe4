#include "judge/stages/judge_times.h"

#include "judge/measured_times.h"
#include "judge/rules/rule_table.h"
#include "judge/rules/speed_floor.h"
#include "judge/stages/run_live.h"
#include "program/cost.h"

namespace tritonrl::judge {

using record::VerdictKind;
using runner::RunOutcome;

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

namespace {

// `launches`: as the kernel machine executed them.
record::Timing timing_of(const Trial& trial, const runner::MeasuredTimes& times, const program::Program& real,
                         const std::vector<runner::LaunchReport>& launches,
                         const std::optional<record::Timing>& model) {
  const Speedup speedup = speedup_of(times.reference_us, times.candidate_us);
  record::Timing timing;
  if (model) timing.modelled_speedup = model->speedup;
  timing.measured = true;
  timing.target = trial.tools.target.name;
  timing.speedup = speedup.ratio;
  timing.speedup_low = speedup.low;
  timing.speedup_high = speedup.high;
  timing.cv = speedup.candidate.cv;
  timing.reference_us = speedup.reference.mean;
  timing.candidate_us = speedup.candidate.mean;
  timing.trials = static_cast<int>(times.candidate_us.size());
  timing.device = trial.tools.device->facts().name;
  timing.floor_us = floor_us(real, launches, trial.tools.device->facts(), trial.tools.target);
  timing.reference_host_us = times.reference_host_us;
  timing.candidate_host_us = times.candidate_host_us;
  return timing;
}

std::vector<std::string> notes_on(const runner::MeasuredTimes& times, const program::Program& real,
                                  const program::Target& target) {
  std::vector<std::string> out;
  double over_the_link = 0;
  for (const program::StepCost& step : program::cost_of(real, target, real.forwards.size() - 1).steps)
    over_the_link += step.cost.host_bytes;
  if (over_the_link > 0)
    out.push_back(std::to_string(static_cast<std::int64_t>(over_the_link)) +
                  " bytes go to the host or come from it; all is computed on the GPU here, and the way is not "
                  "in the measured time");
  if (times.reference_known)
    out.push_back("the reference's time is that of an earlier candidate; trials now agree with it");
  const int trials = static_cast<int>(times.candidate_us.size());
  if (times.hidden * 10 < trials * 9)
    out.push_back("the GPU waited for the host in " + std::to_string(trials - times.hidden) + " of " +
                  std::to_string(trials) + " timed runs");
  return out;
}

}  // namespace

std::optional<Finding> judge_times(const Trial& trial, const runner::DeviceReport& report,
                                   const std::vector<runner::LaunchReport>& launches, const program::Program& real,
                                   TrialLog& log) {
  if (report.timing.kind != RunOutcome::Kind::kCompleted) {
    log.enter(record::Stage::kTiming);
    return log.refuse({kind_of(report.timing),
                       to_string(report.timing.kind),
                       {.message = "while it was timed: " + report.timing.message}});
  }
  if (!report.times) return std::nullopt;
  log.enter(record::Stage::kTiming);
  Evidence evidence = trial.evidence();
  evidence.times = &*report.times;
  if (auto finding = first_broken({LooksAt::kTimedRuns}, evidence, log)) return finding;
  log.told.timing = timing_of(trial, *report.times, real, launches, log.told.timing);
  for (std::string& note : notes_on(*report.times, real, trial.tools.target)) log.told.notes.push_back(std::move(note));
  if (trial.options.baseline == "compile" && trial.tools.live != nullptr)
    measure_over_compile(trial, *report.times, log);
  evidence.timing = &*log.told.timing;
  return first_broken({LooksAt::kTimes}, evidence, log);
}

}  // namespace tritonrl::judge
