#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program/dtype.h"
#include "python/interpreter.h"
#include "record/task.h"
#include "sandbox/policy.h"

namespace tritonrl::python {

struct LiveOptions {
  Interpreter interpreter;
  sandbox::Policy policy;             // completed with what Python, a GPU and Triton's compilers need
  std::string library;                // libtritonrl_sandbox_enter.so
  std::string device = "cuda";        // "cpu": for tests, kernels by Triton's interpreter
  int index = 0;                      // which GPU, as the driver counts
  std::int64_t run_ms = 90'000;       // for the candidate's process, and again for the reference's
  std::int64_t compile_ms = 300'000;  // for torch.compile
  int warmup = 3, trials = 20;        // KernelBench's
};

// The reference, and what it is fed with: all draws follow from the seed.
struct LiveTask {
  record::Task task;
  std::string precision;  // as RecordRequest's
  std::uint64_t seed = 0;
};

// An output as the candidate's recording has it, and how far from the reference it may be.
struct LiveOutput {
  program::DType dtype = program::DType::kFloat32;
  std::vector<std::int64_t> sizes;
  double atol = 0, rtol = 0;
};

struct LiveRequest {
  LiveTask of;
  std::string candidate;       // Python source
  std::string candidate_name;  // its file name, for messages
  std::vector<LiveOutput> outputs;
};

struct LiveOutcome {
  enum class Kind : std::uint8_t {
    kAgrees,
    kDiffers,  // from its recording: other values, shapes or types, or it raised, hung or died
    kUnknown,  // the reference does not run like this: nobody's fault
  };
  Kind kind = Kind::kUnknown;
  std::string message;           // how it differs, why that is not known, or what is odd about its times
  std::string expected, got;     // of the first wrong element
  double max_error = 0;          // where values were compared
  double wall_us = 0;            // as the candidate's own process tells it: no proof of anything. 0: none
  double reference_wall_us = 0;  // 0: none
};

struct CompiledTimes {
  std::vector<double> us;  // of each trial, on the device alone
  std::string failure;     // why there are none
};

// Who may use the device when. Each runs `work` once, at its time.
struct DeviceTurns {
  using Turn = std::function<void(const std::function<void()>& work)>;
  Turn beside;  // while others compute and nobody measures
  Turn alone;
};

// A candidate's file as it stands, on the GPU, once: what a recording cannot show is whether the file does the same
// when nobody records it. The candidate runs in a sandboxed process of its own and hands its outputs over in memory
// that is sealed when that process is dead; another process, which never sees a candidate, computes the reference from
// the same seed and compares. Both are forked from one warm Python. Thread-safe; who else uses the GPU meanwhile is the
// caller's business.
class Live {
 public:
  // Starts the warm Python: seconds. UserError if the interpreter cannot serve.
  explicit Live(LiveOptions options);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // InfrastructureError if the machine fails; all that the files do is in the outcome.
  LiveOutcome run(const LiveRequest& request);

  // The reference under torch.compile: it is made in a turn beside others, compiled in none, and runs alone from its
  // first kernel on, which torch.compile may choose by measuring.
  CompiledTimes time_compiled(const LiveTask& task, const DeviceTurns& turns);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::python
