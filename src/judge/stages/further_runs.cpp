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
constexpr std::size_t kRepeatedCalls = 40;

// Launches with several configurations, each with those that compiled.
std::map<runner::StepPlace, std::vector<runner::LaunchChoice>> tuned_launches(const CompiledProgram& compiled) {
  std::map<runner::StepPlace, std::vector<runner::LaunchChoice>> out;
  for (const runner::LaunchChoice& one : compiled.launches) out[one.at].push_back(one);
  std::erase_if(out, [](const auto& one) { return one.second.size() < 2; });
  return out;
}

std::set<int> storages_of(const program::Program& program, const std::vector<program::Step>& steps) {
  std::set<int> out;
  for (const program::Step& step : steps) {
    const StepAccess access = access_of(program, step);
    out.insert(access.writes.begin(), access.writes.end());
  }
  return out;
}

// Whether the kernels of a call write to memory that was there before it, other than its inputs.
bool keeps_memory(const program::Program& program, const std::vector<runner::LaunchReport>& launches) {
  for (const runner::LaunchReport& report : launches) {
    if (report.at.section != runner::Section::kForward || report.at.forward == 0) continue;
    const program::Forward& forward = program.forwards[static_cast<std::size_t>(report.at.forward)];
    std::set<int> fresh = storages_of(program, forward.make_inputs);
    for (const program::Step& step : forward.steps) {
      const auto* call = std::get_if<program::AtenCall>(&step);
      if (call == nullptr) continue;
      program::for_each_tensor(call->result, [&](program::TensorRef ref) {
        fresh.insert(program.tensors[static_cast<std::size_t>(ref.index)].storage);
      });
    }
    for (const program::TensorRef ref : runner::tensors_of(forward.inputs))
      fresh.insert(program.tensors[static_cast<std::size_t>(ref.index)].storage);
    for (const machine::TensorTraffic& traffic : report.counters.tensors) {
      if (traffic.store_bytes > 0 && traffic.storage >= 0 && !fresh.contains(traffic.storage)) return true;
    }
  }
  return false;
}

std::optional<Finding> wrong_in(const DrawResult& result, const std::string& where, TrialLog& log) {
  if (result.right()) return std::nullopt;
  Finding out = log.refuse(finding_of(result));
  out.what.message = where + out.what.message;
  return out;
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
  runner::RunRequest how = runs.run_request(base.candidate, base.original());
  how.watch = false;  // calls are repeated
  const std::vector<int> once = how.forwards;
  for (std::size_t i = 0; how.forwards.size() < kRepeatedCalls; ++i)
    how.forwards.push_back(once[1 + i % (once.size() - 1)]);
  return wrong_in(runs.judge_as(base.candidate, base.original(), how), "", log);
}

}  // namespace tritonrl::judge
