#include "judge/stages/further_runs.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "judge/rules/step_access.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

constexpr int kCombinations = 4;
constexpr std::size_t kRepeatedCalls = 300;
constexpr double kClearlyWrong = 10;  // times what is allowed

// Launches with several configurations, each with those that compiled.
std::map<runner::StepPlace, std::vector<runner::LaunchChoice>> tuned_launches(const CompiledProgram& compiled) {
  std::map<runner::StepPlace, std::vector<runner::LaunchChoice>> out;
  for (const runner::LaunchChoice& one : compiled.launches) out[one.at].push_back(one);
  std::erase_if(out, [](const auto& one) { return one.second.size() < 2; });
  return out;
}

void add_storages(const program::Program& program, const std::vector<program::Step>& steps, std::set<int>& out) {
  for (const program::Step& step : steps) {
    const StepAccess access = access_of(program, step);
    out.insert(access.reads.begin(), access.reads.end());
    out.insert(access.writes.begin(), access.writes.end());
  }
}

// By call of forward: the memory that was there before it, other than its inputs.
std::vector<std::set<int>> earlier_memory(const program::Program& program) {
  std::vector<std::set<int>> out;
  std::set<int> known;
  add_storages(program, program.initialise, known);
  for (const program::Forward& forward : program.forwards) {
    out.push_back(known);
    std::set<int> inputs;
    add_storages(program, forward.make_inputs, inputs);
    for (const program::TensorRef ref : runner::tensors_of(forward.inputs))
      inputs.insert(program.tensors[static_cast<std::size_t>(ref.index)].storage);
    for (const int one : inputs) out.back().erase(one);
    add_storages(program, forward.steps, known);
  }
  return out;
}

// Whether calls of forward but the first write to memory that was there before them: torch's operators by their
// schemas, kernels by what they did.
bool keeps_memory(const program::Program& program, const std::vector<runner::LaunchReport>& launches) {
  const std::vector<std::set<int>> earlier = earlier_memory(program);
  for (std::size_t f = 1; f < program.forwards.size(); ++f) {
    for (const program::Step& step : program.forwards[f].steps) {
      if (!std::holds_alternative<program::AtenCall>(step)) continue;
      for (const int one : access_of(program, step).writes) {
        if (earlier[f].contains(one)) return true;
      }
    }
  }
  for (const runner::LaunchReport& report : launches) {
    if (report.at.section != runner::Section::kForward || report.at.forward == 0) continue;
    for (const machine::TensorTraffic& traffic : report.counters.tensors) {
      if (traffic.store_bytes > 0 && earlier[static_cast<std::size_t>(report.at.forward)].contains(traffic.storage))
        return true;
    }
  }
  return false;
}

// What a reference that keeps memory itself answers in those calls; empty: it could not be computed.
std::vector<runner::ForwardResult> called_as(const Trial& trial, const SizedTask& size,
                                             const runner::RunRequest& calls) {
  runner::RunRequest how;
  how.program = &size.reference;
  how.seed = calls.seed;
  how.inputs = calls.inputs;
  how.forwards = calls.forwards;
  how.keep_state = true;
  how.wall_ms = calls.wall_ms;
  runner::RunOutcome outcome = trial.tools.replayer.runner().run(how, trial.budget);
  if (outcome.kind != runner::RunOutcome::Kind::kCompleted) return {};
  return std::move(outcome.forwards);
}

std::optional<Finding> wrong_in(const DrawResult& result, const std::string& where, TrialLog& log) {
  if (result.right()) return std::nullopt;
  Finding out = log.refuse(finding_of(result));
  out.what.message = where + out.what.message;
  return out;
}

// Calls of one that keeps memory, many more than were recorded.
std::optional<Finding> judge_many_calls(const Trial& trial, const Base& base, const CandidateRun& runs, TrialLog& log) {
  runner::RunRequest how = runs.run_request(base.candidate, base.original());
  how.watch = false;  // calls are repeated
  how.machine.count = how.machine.cover = false;
  const std::vector<int> once = how.forwards;
  for (std::size_t i = 0; how.forwards.size() < kRepeatedCalls && once.size() > 1; ++i)
    how.forwards.push_back(once[1 + i % (once.size() - 1)]);
  if (!keeps_memory(base.task->reference, {}))
    return wrong_in(runs.judge_as(base.candidate, base.original(), how), "", log);
  const std::vector<runner::ForwardResult> expected = called_as(trial, *base.task, how);
  if (expected.size() != how.forwards.size()) return std::nullopt;
  Draw draw;
  draw.variation = base.original().variation;
  for (const runner::ForwardResult& one : expected) draw.expected.push_back(one.outputs);
  runner::RunOutcome outcome = trial.tools.replayer.runner().run(how, trial.budget);
  for (std::size_t call = 0; call < outcome.forwards.size(); ++call)
    outcome.forwards[call].forward = static_cast<int>(call);
  const DrawResult result = runs.result_of(base.candidate, draw, std::move(outcome));
  // nothing in higher precision is known of these calls
  if (result.comparison && result.comparison->max_excess < kClearlyWrong) return std::nullopt;
  return wrong_in(result, "", log);
}

}  // namespace

std::optional<Finding> judge_further(const Trial& trial, const Base& base, const DrawResult& original, TrialLog& log) {
  const CandidateRun runs = trial.runs_at(*base.task);
  const auto tuned = tuned_launches(base.candidate.compiled);
  std::mt19937_64 random(trial.tools.garbage_seed);
  for (int i = 0; i < kCombinations && tuned.size() > 1; ++i) {
    runner::RunRequest how = runs.run_request(base.candidate, base.original());
    std::map<std::string, std::size_t> chosen;  // a kernel that is launched twice on equal keys is tuned once
    for (runner::LaunchChoice& one : how.launches) {
      const auto found = tuned.find(one.at);
      if (found == tuned.end()) continue;
      const auto& kernel =
          std::get<program::Launch>(*(one.at.section == runner::Section::kInitialise
                                          ? &base.candidate.program().initialise[static_cast<std::size_t>(one.at.step)]
                                          : &base.candidate.program()
                                                 .forwards[static_cast<std::size_t>(one.at.forward)]
                                                 .steps[static_cast<std::size_t>(one.at.step)]));
      const std::size_t pick = chosen.try_emplace(std::to_string(kernel.kernel), random()).first->second;
      one = found->second[pick % found->second.size()];
    }
    if (auto finding = wrong_in(runs.judge_as(base.candidate, base.original(), how),
                                "with another combination of configurations: ", log))
      return finding;
  }
  if (!base.original().overwritten.empty() || !keeps_memory(base.candidate.program(), original.launches))
    return std::nullopt;
  return judge_many_calls(trial, base, runs, log);
}

}  // namespace tritonrl::judge
