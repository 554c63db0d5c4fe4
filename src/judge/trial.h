#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/candidate_run.h"
#include "judge/compile_baselines.h"
#include "judge/coverage.h"
#include "judge/device_references.h"
#include "judge/judge.h"
#include "judge/options.h"
#include "judge/referee.h"
#include "judge/replay.h"
#include "runner/devices.h"

namespace tritonrl::judge {

inline constexpr std::size_t kMaxLarger = 6;  // larger sizes that are tried for one candidate

// What all trials share. Lives longer than any of them.
struct TrialContext {
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
};

// One candidate on its way through the funnel. Each stage says whether the next one follows; the verdict says why not.
class Trial {
 public:
  Trial(const TrialContext& context, const Submission& submission, std::string code);

  // UserError where the task must be fixed, InfrastructureError where the machine failed.
  record::Verdict run();

 private:
  // stages
  bool check_source();  // ast: what Python's parser says of the file
  bool compile();       // records, rules on programs, machine code at the real sizes
  bool run_tiny();
  bool run_full();
  bool run_on_device();        // full again, at the real sizes, and timing
  void run_wrong_on_device();  // without staging: what is known to be wrong takes its time there too
  bool run_live();             // timing: the file as it stands
  void model_time();

  // parts of stages
  void record();
  bool check_recording();
  bool check_programs();
  bool check_second_process();
  bool compile_for_target();
  bool choose_base();  // the size at which values are judged
  bool try_larger(std::size_t* next);
  bool try_size(std::shared_ptr<const SizedTask> size);  // null: false; the base stays where the candidate refuses
  void plan_runs();                                      // of the stage full, all in one process
  bool judge_values();
  bool judge_one(const char* name, std::string_view rule);
  bool verify_variants();
  runner::RunRequest last_forward_on(const Draw& draw);
  void plan_launches(RunBatch& batch);
  void plan_silenced(RunBatch& batch, const Draw& draw, const std::set<runner::StepPlace>& places);
  bool check_launches();
  runner::RunRequest real_size_request(int variant, std::int64_t sample) const;
  void plan_real_sizes(RunBatch& batch);
  bool check_real_sizes();
  Coverage sampled_at(const record::Task& task, const std::string& precision);
  bool check_coverage(const Coverage& at_real);
  runner::RunRequest device_request();
  bool mend_real_strides(const runner::RunOutcome& outcome);
  bool judge_on_device(const runner::DeviceReport& report);
  void keep_times(const runner::DeviceReport& report);
  void measure_over_compile(const runner::MeasuredTimes& times);
  python::LiveTask live_task() const;
  void note_variation(const DrawResult& result, const std::string& name);
  void add_coverage(const SizedCandidate& candidate, const DrawResult& result);

  // bookkeeping
  python::RecordRequest request_at(const record::Task& task, const std::string& precision, int forwards) const;
  SizedCandidate sized(python::RecordOutcome&& recording);
  CandidateRun runs_at(const record::Task& task, const std::string& precision);
  bool on(std::string_view rule) const;  // a rule or protection that is not switched off
  bool wants(std::string_view variation) const;
  bool check(const Checked& violation, std::string_view name, record::VerdictKind kind);   // false: broken
  bool fail(record::VerdictKind kind, std::string_view rule, const std::string& message);  // always false
  bool fail(const DrawResult& result);
  void passed(std::string_view name, const std::string& detail = "");
  void enter(record::Stage stage);
  std::optional<record::SourcePlace> place(const program::SourceLine& at) const;
  std::int64_t remaining_ms() const;
  record::Verdict finish();

  const TrialContext& context_;
  const JudgeOptions& options_;
  const Submission& submission_;
  const std::string code_;
  std::shared_ptr<const TaskCase> task_;

  python::RecordOutcome real_recording_;
  std::optional<python::RecordOutcome> small_recording_, tiny_recording_, odd_recording_, half_recording_;
  KernelMemo memo_;
  CompiledProgram real_;                        // with machine code, all variants
  std::shared_ptr<const SizedTask> base_task_;  // `small`, or a larger size
  std::optional<SizedCandidate> base_;
  std::vector<const Draw*> base_draws_;
  std::vector<DrawResult> base_results_;
  struct Other {  // the variations at sizes and types of their own
    std::optional<SizedCandidate> candidate;
    const SizedTask* task = nullptr;
    std::vector<DrawResult> results;
    std::string refusal;
  };
  std::map<std::string, Other> others_;                   // "shape", "dtype"
  std::map<int, std::vector<runner::RunOutcome>> alone_;  // by kernel: its first launch, run alone
  std::map<runner::StepPlace, std::vector<std::pair<const Draw*, runner::RunOutcome>>> silenced_;
  bool earlier_matter_ = true;                               // to the last forward: it uses what those before it left
  runner::RunOutcome last_alone_;                            // without them
  std::vector<std::pair<int, runner::RunOutcome>> sampled_;  // at the real sizes, with its variant
  std::set<int> verified_variants_;
  Coverage verified_;
  Reach verified_reach_;
  std::vector<runner::StepPlace> counted_;  // launches of the base's last forward that do work
  std::vector<runner::LaunchReport> real_launches_;
  std::vector<python::StrideOverride> real_strides_;  // of results that the GPU lays out otherwise than recorded

  record::Verdict verdict_;
  int stage_checks_ = 0, stage_passed_ = 0;
  std::chrono::steady_clock::time_point begin_, stage_begin_;
};

}  // namespace tritonrl::judge
