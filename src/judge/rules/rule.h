#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/finding.h"
#include "judge/options.h"
#include "program/program.h"
#include "program/target.h"
#include "python/live.h"
#include "python/source_report.h"
#include "record/verdict.h"
#include "runner/device.h"

namespace tritonrl::judge {

struct Reach;
struct LaunchStanding;

// What a rule looks at, and so when it is asked. In the order in which a candidate meets them.
enum class LooksAt : std::uint8_t {
  kFile,           // what Python's parser says of it
  kRealRecording,  // the program at the task's own sizes
  kAnyRecording,   // the program at every size that was recorded, the real ones first
  kLaunches,       // the real program once more, when it is about to be compiled
  kTwoRecordings,  // those of two processes
  kReplacement,    // a recording that is used in the place of another
  kOutputs,        // the real program before anything is executed
  kKernels,        // what each launch of the base counts for
  kSizes,          // what is wrong at other sizes than the task's own
  kReach,          // how much of inputs and outputs the kernels load and store
  kTimedRuns,      // results while it was timed
  kTimes,          // how long it took
  kShare,          // the part of the work that kernels do
  kLive,           // the file as it stands
  kOnTheWay,       // what a stage meets while it does something else
};

// All that rules look at; what a stage does not know is null. Everything must outlive it.
struct Evidence {
  const JudgeOptions& options;
  const program::Target& target;
  const std::string& code;  // the candidate's file
  const std::string& name;  // and what it is called
  const python::SourceReport* source = nullptr;
  const program::Program* reference = nullptr;  // at the candidate's sizes
  const program::Program* candidate = nullptr;
  const program::Program* again = nullptr;  // the candidate, recorded once more
  const std::vector<LaunchStanding>* launches = nullptr;
  const Finding* off_shape = nullptr;  // wrong at other sizes alone
  const Reach* reach_at_real = nullptr;
  const Reach* reach_verified = nullptr;
  const runner::MeasuredTimes* times = nullptr;
  const record::Timing* timing = nullptr;
  std::optional<double> work_share = std::nullopt;
  const python::LiveOutcome* live = nullptr;
};

// One row of the table (rule_table.h).
struct Rule {
  std::string_view name;  // as verdicts give it (Verdict::rule)
  record::Stage stage;    // the first at which it may end a trial
  record::VerdictKind kind;
  LooksAt looks_at;
  std::string_view off_by;            // the switch that turns it off (JudgeOptions::without); empty: none
  std::string_view policy;            // the only one under which it holds; empty: all
  Checked (*check)(const Evidence&);  // null: a stage finds it on its way, and calls broken()
  std::string_view about;             // one line for the docs: what it refuses
  int since = 3;                      // judge_version() from which on it is as it is
};

}  // namespace tritonrl::judge
