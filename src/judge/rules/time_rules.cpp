#include <algorithm>
#include <cstdio>

#include "judge/rules/groups.h"
#include "judge/rules/speed_floor.h"

// Rules on times, and on what happens while they are taken.

namespace tritonrl::judge {
namespace {

using record::Stage;
using Kind = record::VerdictKind;

Checked other_results_timed(const Evidence& evidence) {
  const std::vector<runner::OutputComparison>& outputs = evidence.times->outputs;
  if (std::any_of(outputs.begin(), outputs.end(), [](const auto& one) { return one.wrong > 0; }))
    return Violation{.message = "its result in a timed run is another one than before"};
  if (evidence.times->differing == 0) return std::nullopt;
  return Violation{.message = "its results in " + std::to_string(evidence.times->differing) +
                              " timed runs are others than in the first, on the same inputs"};
}

Checked too_fast(const Evidence& evidence) {
  const record::Timing& timing = *evidence.timing;
  if (timing.candidate_us >= kBelievable * timing.floor_us.value_or(0)) return std::nullopt;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "measured at %.1f µs, but the GPU needs at least %.1f µs to write its outputs and multiply its matrices",
      timing.candidate_us, *timing.floor_us);
  return Violation{.message = text};
}

Checked small_share(const Evidence& evidence) {
  const double least = evidence.options.min_work_share;
  if (!evidence.work_share || *evidence.work_share >= least) return std::nullopt;
  return Violation{.message = "the kernels do " + std::to_string(*evidence.work_share) + " of the work; at least " +
                              std::to_string(least) + " is asked for"};
}

Checked differs_live(const Evidence& evidence) {
  const python::LiveOutcome& outcome = *evidence.live;
  if (outcome.kind != python::LiveOutcome::Kind::kDiffers) return std::nullopt;
  return Violation{
      .message = "run as it stands, on the GPU: " + outcome.message, .expected = outcome.expected, .got = outcome.got};
}

constexpr Rule kTimeRules[] = {
    {"timed_outputs", Stage::kTiming, Kind::kCheated, LooksAt::kTimedRuns, "", "", other_results_timed,
     "another result while it was timed"},
    {"impossible_speed", Stage::kTiming, Kind::kCheated, LooksAt::kTimes, "", "", too_fast,
     "faster than the GPU writes or multiplies"},
    {"work_share", Stage::kTiming, Kind::kCheated, LooksAt::kShare, "", "", small_share,
     "the launches that count make up less of the modelled time than `--min-work-share`"},
    {"differs_live", Stage::kTiming, Kind::kWrong, LooksAt::kLive, "", "", differs_live,
     "another result when the file runs as it stands ([`--live`](device.md#live))"},
};

}  // namespace

std::span<const Rule> time_rules() {
  return kTimeRules;
}

}  // namespace tritonrl::judge
