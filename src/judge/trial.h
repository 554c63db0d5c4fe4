#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "judge/candidate_run.h"
#include "judge/compile_baselines.h"
#include "judge/device_references.h"
#include "judge/gpu_room.h"
#include "judge/judge.h"
#include "judge/options.h"
#include "judge/referee.h"
#include "judge/replay.h"
#include "judge/rules/rule.h"
#include "judge/trial_log.h"
#include "runner/devices.h"

namespace tritonrl::judge {

// What all trials share. Lives longer than any of them.
struct JudgeTools {
  const JudgeOptions& options;
  const program::Target& target;
  Replayer& replayer;
  python::Recorder& second_recorder;  // another interpreter, with another hash seed
  Referee& referee;
  std::uint64_t garbage_seed = 0;
  runner::Devices* device = nullptr;  // null: nothing is measured
  DeviceReferences* references = nullptr;
  python::Live* live = nullptr;  // null: Python never meets the GPU
  CompileBaselines* baselines = nullptr;
  GpuRoom* compile_room = nullptr;  // of what torch.compile works on
};

// Whether a candidate is to be tried on these inputs.
bool wants(const JudgeOptions& options, std::string_view variation);

// One candidate and its task: what every stage sees beside the product of the one before. Nothing in it changes, but
// for the memory of what was compiled, which saves time alone.
struct Trial {
  // `patience`: see base/budget.h.
  Trial(const JudgeTools& shared, const Submission& submitted, int patience = 1);

  const JudgeTools& tools;
  const JudgeOptions& options;
  const Submission& submission;
  const std::string name;  // the candidate's, for messages
  const std::shared_ptr<const TaskCase> task;
  const std::string precision;  // of the task's real sizes
  const base::Budget budget;    // of all stages and processes together

  bool on(std::string_view protection) const;  // a switch that is not off
  bool wants(std::string_view variation) const { return judge::wants(options, variation); }

  // The candidate at some size: how to record it, recorded and compiled, and executed.
  python::RecordRequest request_at(const record::Task& size, const std::string& precision, int forwards) const;
  python::RecordRequest request_at(const SizedTask& size) const;
  SizedCandidate sized(python::RecordOutcome&& recording) const;
  CandidateRun runs_at(const SizedTask& size, std::int64_t most_ms = kLongestRun) const;

  // What is wrong with a recording that is to be used in the place of `first`: every rule on recordings holds for it,
  // and it does the same. `reference` at the same size.
  std::optional<Finding> check_again(const program::Program& reference, const program::Program& first,
                                     const program::Program& again) const;

  // What rules look at, at the task's own sizes.
  Evidence evidence() const { return {options, tools.target, submission.code, name}; }

  // For one run, and for recordings.
  static constexpr std::int64_t kLongestRun = 20'000;
  std::int64_t remaining_ms() const { return budget.at_most(kLongestRun); }
  python::RecordLimits record_limits() const;

  KernelMemo& memo() const { return *memo_; }

 private:
  std::unique_ptr<KernelMemo> memo_;
};

}  // namespace tritonrl::judge
