#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "program/target.h"
#include "python/interpreter.h"
#include "record/task.h"
#include "sandbox/policy.h"

namespace tritonrl::python {

struct RecorderOptions {
  Interpreter interpreter;
  sandbox::Policy policy;  // limits and protections of each recording; `readable` is completed with what Python needs
  std::string library;     // libtritonrl_sandbox_enter.so
  std::uint32_t hash_seed = 0;  // of Python's string hashes
  bool preload_inductor =
      false;  // import TorchInductor's helpers in the zygote: seconds once, instead of per candidate that uses them
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

struct RecordRequest {
  record::Task task;
  std::string candidate;       // Python source of the candidate; empty: record the task itself
  std::string candidate_name;  // its file name, for messages
  const program::Target* target = nullptr;
  int forwards = 1;  // recordings of forward on fresh inputs in the same process
  std::vector<StrideOverride> strides;
  Answerer answer;  // may be empty
};

struct RecordOutcome {
  enum class Kind : std::uint8_t {
    kRecorded,
    kRaised,         // the file's Python raised: `exception`, `message`, `file`, `line`
    kNotRecordable,  // a recording cannot hold what it does
    kBadTask,        // the task's owner must fix something
    kBadCandidate,   // the candidate defines no class to record
    kTimeout,
    kCrashed,    // the process died: a signal, exit() without an answer
    kMalformed,  // it sent something that is no valid program
  };
  Kind kind = Kind::kRecorded;
  std::optional<program::Program> program;  // kRecorded
  std::string phase;                        // "load task", "get_inputs", "load candidate", "initialise", "forward"
  std::string exception, message, file, code;
  int line = 0;
  std::string log;  // the first 64 KiB of what it printed
  sandbox::Level level = sandbox::Level::kFull;
  double milliseconds = 0;
  std::int64_t peak_bytes = 0;  // resident memory of the sandboxed process
};

std::string to_string(RecordOutcome::Kind kind);

// From source to program, without data, GPU or trust: each recording runs in a sandboxed child of a warm zygote.
// Thread-safe: several recordings may run at once. A zygote that dies is replaced.
class Recorder {
 public:
  // Starts the zygote: seconds. UserError if the interpreter cannot serve.
  explicit Recorder(RecorderOptions options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // InfrastructureError if the machine fails; everything that the recorded code can do is an outcome.
  RecordOutcome record(const RecordRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::python
