#include "judge/stages/model_time.h"

#include <algorithm>
#include <map>
#include <set>

#include "judge/modelled_program.h"
#include "judge/placed_launch.h"
#include "judge/rules/work.h"

namespace tritonrl::judge {
namespace {

constexpr int kMostRounds = 3;

// Seconds of the launches that do work: those counted at the base, found again at the real sizes by kernel and turn.
double counted_seconds(const Full& full, const ModelledProgram& modelled) {
  const program::Program& base = full.base.candidate.program();
  const program::Program& real = full.real.program();
  std::set<std::pair<std::string, int>> counted;
  std::map<std::string, int> turns;
  for (const PlacedLaunch& one : launches_of_last(base)) {
    const std::string& name = base.kernels[static_cast<std::size_t>(one.launch->kernel)].name;
    const int turn = turns[name]++;
    if (std::find(full.counted.begin(), full.counted.end(), one.at) != full.counted.end()) counted.insert({name, turn});
  }
  std::set<std::string> known;
  for (const auto& [name, turn] : counted) known.insert(name);
  std::map<runner::StepPlace, double> seconds;
  for (const ModelledLaunch& one : modelled.launches) seconds[one.at] = one.time.seconds;
  double out = 0;
  std::map<std::string, int> real_turns;
  for (const PlacedLaunch& one : launches_of_last(real)) {
    const std::string& name = real.kernels[static_cast<std::size_t>(one.launch->kernel)].name;
    const int turn = real_turns[name]++;
    const bool beyond = turn >= turns[name] && known.contains(name);
    if (counted.contains({name, turn}) || beyond) out += seconds[one.at];
  }
  return out;
}

// Of several configurations the one that is the fastest by the model, which has to know its registers and shared
// memory: machine code is made for it, and again where that shows another one to be faster.
ModelledProgram modelled_fastest(const Trial& trial, const SizedCandidate& real,
                                 const std::vector<runner::LaunchReport>& reports) {
  const int last = static_cast<int>(real.program().forwards.size()) - 1;
  ModelledProgram out = modelled_program(real.program(), last, real.compiled, reports);
  if (out.complete) return out;
  CompiledProgram compiled = real.compiled;
  for (int round = 0; round < kMostRounds && !out.complete && !trial.budget.over(); ++round) {
    for (const ModelledLaunch& one : out.launches) {
      if (!one.complete)
        trial.tools.replayer.add_machine_code(real.program(), one.at, one.variant, trial.budget, compiled,
                                              &trial.memo());
    }
    out = modelled_program(real.program(), last, compiled, reports);
  }
  return out.complete ? out : modelled_program(real.program(), last, compiled, reports, /*only_complete=*/true);
}

// What torch computes in the last forward.
double torch_seconds(const program::Program& program, const program::Target& target) {
  double out = 0;
  for (const program::Step& step : program.forwards.back().steps) {
    if (computing_operator(step) != nullptr)
      out += program::eager_seconds(program, std::get<program::AtenCall>(step), target);
  }
  return out;
}

// The smaller of two parts: of the candidate's time what kernels take, and of the reference's what torch no longer
// does. A slow kernel has a large share of the first alone, a fused operator of torch's makes the second large.
double work_share(double kernels, double torch, double reference) {
  if (kernels <= 0) return 0;
  const double replaced = reference > 0 ? std::max(0.0, 1 - torch / reference) : 1;
  return std::min(kernels / (kernels + torch), replaced);
}

}  // namespace

Modelled model_time(const Trial& trial, const Full& full) {
  Modelled out;
  record::Timing& timing = out.timing;
  timing.target = trial.tools.target.name;
  timing.reference_us = trial.task->reference_seconds * 1e6;
  if (trial.submission.reference_itself) {
    timing.candidate_us = timing.reference_us;
    timing.speedup = 1;
    return out;
  }
  const program::Program& real = full.real.program();
  std::vector<runner::LaunchReport> reports;
  for (const runner::LaunchReport& report : full.launches) {
    if (report.variant == 0 || full.variants.contains(report.variant)) reports.push_back(report);
  }
  const ModelledProgram modelled = modelled_fastest(trial, full.real, reports);
  const double seconds =
      full.time_in_doubt ? std::max(modelled.seconds, trial.task->reference_seconds) : modelled.seconds;
  timing.candidate_us = seconds * 1e6;
  timing.speedup = seconds > 0 ? trial.task->reference_seconds / seconds : 0;
  out.work_share = work_share(counted_seconds(full, modelled), torch_seconds(real, trial.tools.target),
                              torch_seconds(trial.task->reference, trial.tools.target));
  return out;
}

}  // namespace tritonrl::judge
