#include "judge/stages/launches.h"

#include <algorithm>
#include <set>

#include "judge/placed_launch.h"
#include "judge/regimes.h"
#include "judge/rules/launch_nature.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/work.h"
#include "program/program_json.h"

namespace tritonrl::judge {

using Counts = LaunchStanding::Counts;

namespace {

constexpr std::size_t kMaxSilenced = 12;  // launches; beyond, all launches of a kernel are silenced together
constexpr std::size_t kMaxAlone = 24;     // different launches that are run alone; others are taken to compute

// Launches of one kernel with equal numbers do the same to whatever tensors they are given.
std::string likeness_of(const program::Launch& launch) {
  std::string out = std::to_string(launch.kernel);
  for (const program::LaunchArgument& argument : launch.variants.front().arguments) {
    if (!argument.type.starts_with("*")) out += " " + argument.name + "=" + program::to_json(argument.value);
  }
  return out;
}

// The last forward that the draw has; with those before it only where they matter to it.
runner::RunRequest last_forward_on(const Trial& trial, const Base& base, const Draw& draw, bool earlier_matter) {
  runner::RunRequest how = trial.runs_at(*base.task).run_request(base.candidate, draw);
  how.watch = false;  // nobody asks here what was overwritten
  if (earlier_matter) return how;
  how.forwards.erase(how.forwards.begin(), how.forwards.end() - 1);
  std::erase_if(how.inputs, [&](const runner::GivenInputs& one) { return one.forward != how.forwards.front(); });
  return how;
}

// Of a run that is asked for nothing but its outputs.
runner::RunRequest without_books(runner::RunRequest how) {
  how.machine.count = how.machine.cover = how.machine.check_races = how.machine.check_undefined = false;
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
    // each call of a regime has inputs of its own kind
    const bool all_calls = is_regime(draw.variation);
    runner::RunRequest how = without_books(last_forward_on(trial, base, draw, out->earlier_matter || all_calls));
    for (const PlacedLaunch& other : launches) {
      if (other.at != one.at && !(together && other.launch->kernel == one.launch->kernel)) continue;
      // all calls behind the first take the same steps: rule stability
      runner::StepPlace at = other.at;
      for (const int forward : how.forwards) {
        at.forward = forward;
        if (forward == how.forwards.back() || (all_calls && forward > 0)) how.silenced.push_back(at);
      }
    }
    batch.add(std::move(how), [out, at = one.at, &draw](runner::RunOutcome&& outcome) {
      out->silenced[at].emplace_back(&draw, std::move(outcome));
    });
  }
}

// Whether the draw's last forward, of a regime every forward that was run, gave what is expected of it.
bool stays_right(const Draw& draw, const runner::RunOutcome& outcome) {
  if (outcome.kind != runner::RunOutcome::Kind::kCompleted || outcome.forwards.empty()) return false;
  const bool all_calls = is_regime(draw.variation);
  for (const runner::ForwardResult& one : outcome.forwards) {
    const auto f = static_cast<std::size_t>(one.forward);
    if (f >= draw.expected.size() || (!all_calls && &one != &outcome.forwards.back())) continue;
    if (!compare(draw.expected[f], one.outputs, draw.truth(f), {.by_row = all_calls}).equal) return false;
  }
  return true;
}

// Runs on other draws and with earlier forwards, where the planned ones do not tell whether a launch matters.
void run_more(const Trial& trial, const Base& base, LaunchRuns& runs) {
  RunBatch more;
  const Draw& original = base.original();
  if (!runs.earlier_matter && !runs.silenced.empty() && !stays_right(original, runs.last_alone)) {
    runs.earlier_matter = true;
    std::set<runner::StepPlace> all;
    for (const auto& [at, silenced] : runs.silenced) all.insert(at);
    runs.silenced.clear();
    plan_silenced(trial, base, more, original, all, &runs);
    more.run(trial.tools.replayer.runner(), trial.budget);
  }
  // what nobody misses on the task's own inputs may matter on others
  for (const Draw& draw : base.task->draws) {
    std::set<runner::StepPlace> open;
    for (const auto& [at, silenced] : runs.silenced) {
      if (std::all_of(silenced.begin(), silenced.end(),
                      [&](const auto& run) { return stays_right(*run.first, run.second); }))
        open.insert(at);
    }
    if (open.empty()) return;
    if (&draw == &original || !draw.not_applicable.empty()) continue;
    plan_silenced(trial, base, more, draw, open, &runs);
    more.run(trial.tools.replayer.runner(), trial.budget);
  }
}

// What launches do to the draws themselves, told for those that hand on an operand on every one of them.
std::map<runner::StepPlace, LaunchNature> natures_on_draws(const Trial& trial, const Base& base, bool earlier_matter) {
  std::map<runner::StepPlace, std::vector<runner::RunOutcome>> runs;
  for (const PlacedLaunch& one : launches_of_last(base.candidate.program())) {
    if (runs.size() < kMaxAlone) runs[one.at];
  }
  for (const Draw& draw : base.task->draws) {
    if (!draw.not_applicable.empty()) continue;
    RunBatch batch;
    for (auto& [place, seen] : runs) {
      const runner::StepPlace at = place;
      std::vector<runner::RunOutcome>& outcomes = seen;  // a binding cannot be captured by every compiler
      runner::RunRequest how = last_forward_on(trial, base, draw, earlier_matter || is_regime(draw.variation));
      // each call of a regime has inputs of its own kind
      for (const int forward : how.forwards) {
        if (forward != how.forwards.back() && (!is_regime(draw.variation) || forward == 0)) continue;
        runner::RunRequest here = how;
        here.alone = runner::Alone{.at = at, .fill = runner::Alone::Fill::kReal};
        here.alone->at.forward = forward;
        here.want_outputs = false;
        batch.add(std::move(here),
                  [&outcomes](runner::RunOutcome&& outcome) { outcomes.push_back(std::move(outcome)); });
      }
    }
    if (runs.empty()) break;
    batch.run(trial.tools.replayer.runner(), trial.budget);
    std::erase_if(runs, [](const auto& run) { return nature_on_draws(run.second) == LaunchNature::kComputes; });
  }
  std::map<runner::StepPlace, LaunchNature> out;
  for (const auto& [at, outcomes] : runs) out.emplace(at, nature_on_draws(outcomes));
  return out;
}

// Nothing was loaded in any of the runs that executed the launch.
bool reads_nothing(const runner::StepPlace& at, const std::vector<runner::RunOutcome>& outcomes) {
  bool executed = false;
  for (const runner::RunOutcome& outcome : outcomes) {
    for (const runner::LaunchReport& report : outcome.launches) {
      if (report.at != at) continue;
      executed = true;
      for (const machine::TensorTraffic& traffic : report.counters.tensors) {
        if (traffic.load_bytes > 0) return false;
      }
    }
  }
  return executed;
}

}  // namespace

void plan_launches(const Trial& trial, const Base& base, RunBatch& batch, LaunchRuns* out) {
  *out = {};
  const program::Program& program = base.candidate.program();
  const Draw& original = base.original();
  out->earlier_matter = needs_earlier(program);
  // A forward that is right without those before it has no need of them. Else what is silenced would seem to matter.
  if (!out->earlier_matter) {
    batch.add(without_books(last_forward_on(trial, base, original, false)),
              [out](runner::RunOutcome&& outcome) { out->last_alone = std::move(outcome); });
  }
  // alone: on random data of several scales, some of it positive, and on NaN
  std::set<runner::StepPlace> places;
  for (const PlacedLaunch& one : launches_of_last(program)) {
    places.insert(one.at);
    const std::string like = likeness_of(*one.launch);
    if (!trial.on(rules::kCopies) || out->alone.contains(like) || out->alone.size() == kMaxAlone) continue;
    out->alone[like];
    using Fill = runner::Alone::Fill;
    for (const auto& [fill, scale] :
         {std::pair(Fill::kRandom, 1.0), {Fill::kRandom, 100.0}, {Fill::kPositive, 0.1}, {Fill::kNan, 0.0}}) {
      runner::RunRequest how = last_forward_on(trial, base, original, out->earlier_matter);
      const std::uint64_t seed = trial.tools.garbage_seed + static_cast<std::uint64_t>(10 * scale);
      how.alone = runner::Alone{one.at, fill, scale, seed};
      how.want_outputs = false;
      batch.add(std::move(how),
                [out, like](runner::RunOutcome&& outcome) { out->alone[like].push_back(std::move(outcome)); });
    }
  }
  if (trial.on(rules::kSilence)) plan_silenced(trial, base, batch, original, places, out);
}

std::vector<LaunchStanding> standings_of(const Trial& trial, const Base& base, LaunchRuns runs,
                                         const program::Program& real, TrialLog& log) {
  const BothWorks works = torch_works(trial.task->reference, real);
  const bool moves_only = !works.reference.any_arithmetic();
  const auto counts_as_work = [&](LaunchNature nature) {
    switch (nature) {
      case LaunchNature::kComputes:
        return true;
      case LaunchNature::kScales:  // work where torch does not turn it back
        return moves_only || replaces(works, program::WorkKind::kPointwise, {});
      case LaunchNature::kRearranges:
        return moves_only ||
               works.candidate.sum(program::WorkKind::kMoved) < works.reference.sum(program::WorkKind::kMoved);
      case LaunchNature::kCopies:
        return moves_only;
      case LaunchNature::kConstant:
        break;
    }
    return false;
  };
  // where every answer is the same, launches cannot be told apart by what becomes of it
  const bool tells = trial.task->degenerate.empty();
  if (tells) run_more(trial, base, runs);
  // where torch does nothing, kernels do all of it; where it moves data, that may be a sum in other clothes
  std::map<runner::StepPlace, LaunchNature> on_draws;
  if (tells && trial.on(rules::kCopies) && works.candidate.any())
    on_draws = natures_on_draws(trial, base, runs.earlier_matter);
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
    if (!tells) {
      const auto alone = runs.alone.find(likeness_of(*one.launch));
      if (alone != runs.alone.end() && reads_nothing(one.at, alone->second))
        nothing(Counts::kMovesData, rules::kCopies, "it writes constants and reads nothing");
      continue;
    }
    if (const auto alone = runs.alone.find(likeness_of(*one.launch)); alone != runs.alone.end()) {
      const LaunchNature nature = nature_of(alone->second);
      if (!counts_as_work(nature)) {
        nothing(Counts::kMovesData, rules::kCopies,
                nature == LaunchNature::kConstant ? "it writes constants"
                : nature == LaunchNature::kScales ? "it copies up to a factor"
                                                  : "it copies");
        continue;
      }
    }
    if (const auto here = on_draws.find(one.at); here != on_draws.end() && !counts_as_work(here->second)) {
      nothing(Counts::kMovesData, rules::kCopies, "it hands on an operand as it is, on all inputs that were tried");
      continue;
    }
    bool matters = !trial.on(rules::kSilence);
    if (const auto silenced = runs.silenced.find(one.at); silenced != runs.silenced.end()) {
      for (const auto& [draw, outcome] : silenced->second) matters = matters || !stays_right(*draw, outcome);
      matters_by_kernel[kernel] = matters;
    } else {
      matters = matters || matters_by_kernel[kernel];
    }
    if (!matters) nothing(Counts::kNoEffect, rules::kSilence, "the output is the same without it");
  }
  return out;
}

}  // namespace tritonrl::judge
