#include "judge/stages/launches.h"

#include <algorithm>
#include <set>

#include "judge/placed_launch.h"
#include "judge/rules/launch_nature.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/work.h"

namespace tritonrl::judge {

using Counts = LaunchStanding::Counts;

namespace {

constexpr std::size_t kMaxSilenced = 12;  // launches; beyond, all launches of a kernel are silenced together

// The base's last forward; with those before it only where they matter to it.
runner::RunRequest last_forward_on(const Trial& trial, const Base& base, const Draw& draw, bool earlier_matter) {
  runner::RunRequest how = trial.runs_at(base.task->task, base.task->precision).run_request(base.candidate, draw);
  if (earlier_matter) return how;
  how.forwards.erase(how.forwards.begin(), how.forwards.end() - 1);
  std::erase_if(how.inputs, [&](const runner::GivenInputs& one) { return one.forward != how.forwards.front(); });
  return how;
}

// Each of these launches silenced, or each kernel where there are very many.
void plan_silenced(const Trial& trial, const Base& base, RunBatch& batch, const Draw& draw,
                   const std::set<runner::StepPlace>& places, LaunchRuns* out) {
  const std::vector<PlacedLaunch> launches = launches_of_last(base.candidate.program());
  const bool together = launches.size() > kMaxSilenced;
  std::set<int> seen;
  for (const PlacedLaunch& one : launches) {
    if (!places.contains(one.at) || (together && !seen.insert(one.launch->kernel).second)) continue;
    runner::RunRequest how = last_forward_on(trial, base, draw, out->earlier_matter);
    for (const PlacedLaunch& other : launches) {
      if (other.at == one.at || (together && other.launch->kernel == one.launch->kernel))
        how.silenced.push_back(other.at);
    }
    batch.add(std::move(how), [out, at = one.at, &draw](runner::RunOutcome&& outcome) {
      out->silenced[at].emplace_back(&draw, std::move(outcome));
    });
  }
}

// Whether the base's last forward gave what is expected of it.
bool stays_right(const Base& base, const Draw& draw, const runner::RunOutcome& outcome) {
  static const std::vector<runner::TensorData> kNone;
  const std::size_t last = base.candidate.program().forwards.size() - 1;
  return outcome.kind == runner::RunOutcome::Kind::kCompleted && !outcome.forwards.empty() &&
         compare(draw.expected[last], outcome.forwards.back().outputs,
                 draw.oracle.size() > last ? draw.oracle[last] : kNone)
             .equal;
}

// Runs on other draws and with earlier forwards, where the planned ones do not tell whether a launch matters.
void run_more(const Trial& trial, const Base& base, LaunchRuns& runs) {
  RunBatch more;
  const Draw& original = base.original();
  if (!runs.earlier_matter && !runs.silenced.empty() && !stays_right(base, original, runs.last_alone)) {
    runs.earlier_matter = true;
    std::set<runner::StepPlace> all;
    for (const auto& [at, silenced] : runs.silenced) all.insert(at);
    runs.silenced.clear();
    plan_silenced(trial, base, more, original, all, &runs);
    more.run(trial.tools.replayer.runner(), trial.deadline);
  }
  // what nobody misses on the task's own inputs may matter on others
  std::set<runner::StepPlace> open;
  for (const auto& [at, silenced] : runs.silenced) {
    if (std::all_of(silenced.begin(), silenced.end(),
                    [&](const auto& run) { return stays_right(base, *run.first, run.second); }))
      open.insert(at);
  }
  const Draw* signs = base.task->find("signed");
  if (!open.empty() && signs != nullptr && signs->not_applicable.empty()) {
    plan_silenced(trial, base, more, *signs, open, &runs);
    more.run(trial.tools.replayer.runner(), trial.deadline);
  }
}

}  // namespace

void plan_launches(const Trial& trial, const Base& base, RunBatch& batch, LaunchRuns* out) {
  *out = {};
  const program::Program& program = base.candidate.program();
  const Draw& original = base.original();
  out->earlier_matter = needs_earlier(program);
  // A forward that is right without those before it has no need of them. Else what is silenced would seem to matter.
  if (!out->earlier_matter) {
    batch.add(last_forward_on(trial, base, original, false),
              [out](runner::RunOutcome&& outcome) { out->last_alone = std::move(outcome); });
  }
  // alone, for the first launch of each kernel: on random data of several scales, and on NaN
  std::set<runner::StepPlace> places;
  for (const PlacedLaunch& one : launches_of_last(program)) {
    places.insert(one.at);
    const int kernel = one.launch->kernel;
    if (!trial.on(rules::kCopies) || out->alone.contains(kernel)) continue;
    out->alone[kernel];
    for (const double scale : {1.0, 100.0, 0.1, 0.0}) {
      runner::RunRequest how = last_forward_on(trial, base, original, out->earlier_matter);
      const auto fill = scale > 0 ? runner::Alone::Fill::kRandom : runner::Alone::Fill::kNan;
      const std::uint64_t seed = trial.tools.garbage_seed + static_cast<std::uint64_t>(10 * scale);
      how.alone = runner::Alone{one.at, fill, scale, seed};
      how.want_outputs = false;
      batch.add(std::move(how),
                [out, kernel](runner::RunOutcome&& outcome) { out->alone[kernel].push_back(std::move(outcome)); });
    }
  }
  if (trial.on(rules::kSilence)) plan_silenced(trial, base, batch, original, places, out);
}

std::vector<LaunchStanding> standings_of(const Trial& trial, const Base& base, LaunchRuns runs,
                                         const program::Program& real, TrialLog& log) {
  const AtenWork reference = aten_work(trial.task->reference, trial.tools.target);
  const AtenWork candidate = aten_work(real, trial.tools.target);
  const bool moving_counts = reference.arithmetic <= 0 || candidate.rearrangement < reference.rearrangement;
  const auto counts_as_work = [&](LaunchNature nature) {
    return nature == LaunchNature::kComputes || (nature == LaunchNature::kRearranges && moving_counts) ||
           (nature == LaunchNature::kCopies && reference.arithmetic <= 0);
  };
  run_more(trial, base, runs);
  std::map<int, bool> matters_by_kernel;  // where all launches of a kernel were silenced together
  std::vector<LaunchStanding> out;
  for (const PlacedLaunch& one : launches_of_last(base.candidate.program())) {
    const int kernel = one.launch->kernel;
    const std::string& name = base.candidate.program().kernels[static_cast<std::size_t>(kernel)].name;
    LaunchStanding& standing = out.emplace_back(LaunchStanding{one.at, one.launch->at, name, Counts::kWork});
    const auto nothing = [&](Counts counts, std::string_view rule, const std::string& why) {
      standing.counts = counts;
      log.told.checks.push_back({std::string(rule), true, "a launch of " + name + " counts for nothing: " + why});
    };
    if (const auto alone = runs.alone.find(kernel); alone != runs.alone.end()) {
      const LaunchNature nature = nature_of(alone->second);
      if (!counts_as_work(nature)) {
        nothing(Counts::kMovesData, rules::kCopies,
                nature == LaunchNature::kConstant ? "it writes constants" : "it copies");
        continue;
      }
    }
    bool matters = !trial.on(rules::kSilence);
    if (const auto silenced = runs.silenced.find(one.at); silenced != runs.silenced.end()) {
      for (const auto& [draw, outcome] : silenced->second) matters = matters || !stays_right(base, *draw, outcome);
      matters_by_kernel[kernel] = matters;
    } else {
      matters = matters || matters_by_kernel[kernel];
    }
    if (!matters) nothing(Counts::kNoEffect, rules::kSilence, "the output is the same without it");
  }
  return out;
}

}  // namespace tritonrl::judge
