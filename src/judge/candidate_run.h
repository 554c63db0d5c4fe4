#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/compare.h"
#include "judge/finding.h"
#include "judge/replay.h"
#include "judge/run_batch.h"
#include "judge/task_case.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// A candidate at one size: recorded and compiled.
struct SizedCandidate {
  python::RecordOutcome recording;
  CompiledProgram compiled;

  // Why it does not take this size, in words: it raised, or a kernel does not compile. Empty: it does.
  std::string refusal() const;
  const program::Program& program() const { return *recording.program; }
};

// What became of a candidate on one draw.
struct DrawResult {
  std::string variation;
  record::VerdictKind kind = record::VerdictKind::kPassed;  // passed, wrong, crashed, timeout, infrastructure
  std::string rule, message;
  std::string not_applicable;  // not judged on this draw, and why
  std::string advice;
  std::optional<Comparison> comparison;  // of the worst forward
  program::SourceLine at;
  std::vector<runner::LaunchReport> launches;

  bool again = false;  // needs another recording: CandidateRun::complete

  bool right() const { return kind == record::VerdictKind::kPassed && not_applicable.empty(); }
  // An access that the hardware refuses because of the sizes (strides of a tensor descriptor): loud, as a raise is.
  bool refuses_size() const;
};

// What is wrong with one that is not right. InfrastructureError where that is our fault.
Finding finding_of(const DrawResult& result);

struct CandidateRunOptions {
  std::uint64_t garbage_seed = 0;
  std::int64_t run_ms = 20'000;  // for one draw
  python::RecordLimits limits;   // of further recordings
  base::Budget budget;           // for all that is left to do
  bool races = true;             // a race is wrong
  bool aliasing = true;          // and so is memory of the caller's that is written to
  Tolerances tolerances = {};
  bool any_dtype = false;  // another output type is compared, not refused
  // What is wrong with a recording that is to be used in the place of the first.
  std::function<std::optional<Finding>(const program::Program& first, const program::Program& again)> check = {};
};

// Executes a candidate on the referee's draws and compares.
class CandidateRun {
 public:
  // `memo` may be null; it must outlive this.
  CandidateRun(Replayer& replayer, python::RecordRequest request, CandidateRunOptions options, KernelMemo* memo);

  // `candidate` (recorded from `request`, at the size of the draws) may be recorded again where a real result is laid
  // out otherwise than recorded, or where a draw needs other answers.
  // The machine's books of tensors' traffic are not in the results: they are dear, and wanted of `plan` alone.
  std::vector<DrawResult> judge(SizedCandidate& candidate, std::vector<const Draw*> draws, int variant = 0);

  // The same in two steps, around the run of a batch that may hold other runs too. `plan` fills `results` (which must
  // live until then) when the batch runs; `complete` tries again what needs another recording. Of `original` the books
  // of tensors' traffic are in the results. True if `candidate` was recorded again.
  void plan(RunBatch& batch, const SizedCandidate& candidate, std::vector<const Draw*> draws,
            std::vector<DrawResult>* results);
  bool complete(SizedCandidate& candidate, const std::vector<const Draw*>& draws, std::vector<DrawResult>* results);

  // The same of one run that somebody else put together from `run_request`, and of one that was executed.
  DrawResult judge_as(const SizedCandidate& candidate, const Draw& draw, const runner::RunRequest& how) const;
  DrawResult result_of(const SizedCandidate& candidate, const Draw& draw, runner::RunOutcome&& outcome) const;

  // The request that replays the candidate on a draw.
  runner::RunRequest run_request(const SizedCandidate& candidate, const Draw& draw, int variant = 0) const;

 private:
  std::vector<DrawResult> judged(SizedCandidate& candidate, std::vector<const Draw*> draws, int variant,
                                 bool with_traffic);
  static DrawResult unjudged(const SizedCandidate& candidate, const Draw& draw);
  // The draw, or what it has for candidates that lack some of its buffers.
  static const Draw* fitting(const SizedCandidate& candidate, const Draw* draw);
  struct Mend {
    bool again = false;              // the candidate was recorded once more
    std::optional<Finding> finding;  // and is refused
  };
  Mend mend_strides(SizedCandidate& candidate, const runner::RunOutcome& outcome, const Draw& draw);
  DrawResult with_own_answers(const SizedCandidate& candidate, const Draw& draw, int variant);
  Replayer::Draws draws_of(const SizedCandidate& candidate, const Draw& draw) const;

  Replayer& replayer_;
  python::RecordRequest request_;
  CandidateRunOptions options_;
  KernelMemo* memo_ = nullptr;
};

// One launch choice a place: the variant asked for where it was compiled, else the first that was.
std::vector<runner::LaunchChoice> launches_with(const CompiledProgram& compiled, int variant);
// One more than the highest variant that was compiled.
int variants_of(const CompiledProgram& compiled);

}  // namespace tritonrl::judge
