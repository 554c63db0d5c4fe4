#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/program.h"
#include "program/target.h"
#include "python/interpreter.h"
#include "python/module_run.h"
#include "python/service.h"
#include "python/source_report.h"
#include "python/task_integers.h"
#include "record/task.h"
#include "sandbox/policy.h"

namespace tritonrl::python {

struct RecorderOptions {
  Interpreter interpreter;
  sandbox::Policy policy;  // limits and protections of each recording; `readable` is completed with what Python needs
  std::string library;     // libtritonrl_sandbox_enter.so
  std::uint32_t hash_seed = 0;  // of Python's string hashes
  // Import torch's compiler in the zygote: 1.6 seconds once, instead of per candidate that uses it. So too for
  // TorchInductor's helpers.
  bool preload_compiler = true;
  bool preload_inductor = false;
  bool warm = true;         // record once in the zygote, so that no process pays for what is done on first use
  bool background = false;  // the zygote starts while the caller goes on; the first request waits for it
};

// Executes the program so far and gives the values asked for; none: a neutral value is assumed and the program says so.
using Answerer =
    std::function<std::optional<program::Value>(const program::Program& so_far, const program::Question& question)>;

// Where the runner's device lays a result out in another way than the recorder assumed: record again with its strides.
struct StrideOverride {
  enum class Section : std::uint8_t { kInitialise, kInputs, kForward };
  Section section = Section::kForward;
  int forward = 0;
  int step = 0;                                    // index into the section's steps
  std::vector<std::vector<std::int64_t>> strides;  // of each result
};

inline constexpr std::int64_t kMaxSteps = 200'000;

struct RecordRequest {
  record::Task task;
  std::string candidate;       // Python source of the candidate; empty: record the task itself
  std::string candidate_name;  // its file name, for messages
  const program::Target* target = nullptr;
  int forwards = 1;  // recordings of forward on fresh inputs in the same process
  // Source of the task at another size: the first of these calls gets its inputs. Empty: its own, as all others.
  std::string first_called;
  // Floating type of parameters, buffers and inputs: "" as the task makes them, or "float16", "bfloat16", "float32",
  // "float64". The inputs are cast as part of make_inputs, the module with .to(dtype) as part of initialise.
  std::string precision;
  bool check_source = false;  // look at the candidate's text before any of it runs: RecordOutcome::source
  std::vector<StrideOverride> strides;
  Answerer answer;  // may be empty
  // Calls and launches of all sections, and twice as many tensors: a recording of more ends as kCrashed. It bounds our
  // memory, too.
  std::int64_t max_steps = kMaxSteps;
  bool guarded = true;    // a candidate that reaches for the recorder ends as kIntrusion
  int max_questions = 0;  // asking for more values ends the recording (RecordOutcome::too_many_questions); 0: no limit
  bool modules = false;   // also tell which submodule made which calls: RecordOutcome::modules
  bool needed = false;    // in record_all: where this one is not recorded the rest are not tried, and share its outcome
};

// What the recordings of one call may take together, beside what the policy allows each.
struct RecordLimits {
  base::Budget budget;
  std::int64_t each_ms = 0;  // of one; 0: the policy's
  std::int64_t cpu_ms = 0;   // processor time of all; 0: the policy's for each
};

struct RecordOutcome {
  enum class Kind : std::uint8_t {
    kRecorded,
    kRaised,         // the file's Python raised: `exception`, `message`, `file`, `line`
    kNotRecordable,  // a recording cannot hold what it does
    kBadTask,        // the task's owner must fix something
    kBadCandidate,   // the candidate defines no class to record
    kIntrusion,      // its code reached for the frames or objects of the recorder
    kTimeout,
    kCrashed,    // the process died: a signal, exit() without an answer
    kMalformed,  // it sent something that is no valid program
  };
  Kind kind = Kind::kRecorded;
  std::optional<program::Program> program;  // kRecorded
  std::vector<ModuleRun> modules;           // with `modules`: of the last forward, in the order of their begin
  std::optional<SourceReport> source;       // with check_source and a candidate, whatever became of the recording
  std::string phase;                        // "load task", "get_inputs", "load candidate", "initialise", "forward"
  std::string exception, message, file, code;
  int line = 0;
  int questions = 0;  // values that were asked for
  bool too_many_questions = false;
  std::string log;  // the first 64 KiB of what its process printed, over all requests that it served
  sandbox::Level level = sandbox::Level::kFull;
  double milliseconds = 0;      // from the request to its answer; the start of the process is part of its first request
  std::int64_t peak_bytes = 0;  // resident memory of the sandboxed process, over all requests that it served
};

std::span<const char* const> enum_names(RecordOutcome::Kind);
std::string to_string(RecordOutcome::Kind kind);
// Of what recorder/session.py calls it; kMalformed for what it does not.
RecordOutcome::Kind record_kind(const std::string& name);
RecordOutcome::Kind record_kind(SilentEnd::Kind kind);

// From source to program, without data, GPU or trust: each recording runs in a sandboxed child of a warm zygote.
// Thread-safe: several recordings may run at once. A zygote that dies is replaced.
class Recorder {
 public:
  // Starts the zygote: seconds. UserError if the interpreter cannot serve (with `background` told by the first
  // request).
  explicit Recorder(RecorderOptions options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // InfrastructureError if the machine fails; everything that the recorded code can do is an outcome.
  RecordOutcome record(const RecordRequest& request, const RecordLimits& limits = {});

  // The same for several requests, one after the other in one sandboxed process: its start is paid once. Each loads its
  // task and candidate afresh; what a candidate does to its own process it may meet again in its later requests, so
  // put only requests of one candidate together. One outcome a request, in their order.
  // The policy's wall_ms holds for each request, its cpu_seconds for the sum. If the process dies or hangs, the request
  // under way has that outcome and the others are tried in a fresh process, at most three in all; then the rest have
  // the last outcome too. So they have if one evades its own limit and spends the time of all.
  // `limits` hold for all of them together.
  std::vector<RecordOutcome> record_all(std::span<const RecordRequest> requests, const RecordLimits& limits = {});

  // The integers that make up a task's sizes, in the order of the text. The task is parsed, not executed. UserError
  // naming file and line if it does not parse.
  std::vector<TaskInteger> integers(const record::Task& task);

  // The warm processes, for other questions to recorder/session.py (expression_tracer.h).
  Service& service();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::python
