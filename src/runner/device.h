#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/output_comparison.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"
#include "sandbox/policy.h"

namespace tritonrl::runner {

struct DeviceOptions {
  std::string executable;           // tritonrl-device
  std::string libraries;            // as RunnerOptions::libraries
  sandbox::Policy policy;           // of its processes; completed with what a GPU needs
  int index = 0;                    // which GPU of those that CUDA_VISIBLE_DEVICES leaves, in the order of their buses
  std::int64_t draw_ms = 30'000;    // for the reference on one draw of inputs
  std::int64_t run_ms = 20'000;     // for the candidate on one draw: then its process is killed
  std::int64_t timing_ms = 30'000;  // for all trials: the same
};

// Which GPU it is, and what it reaches (measured when it is started).
struct DeviceFacts {
  std::string name, uuid;
  double bytes_per_second = 0;       // of its memory, read and written
  double matrix_ops_per_second = 0;  // bfloat16; a multiply-add is two
  void fields(base::FieldVisitor& field);
};

// Inputs at the task's own sizes, drawn by the referee.
struct DeviceDraw {
  std::string variation;  // "original", "seed": as the task draws them; "scaled", "signed", "uneven": other values
  std::uint64_t seed = 0;
  void fields(base::FieldVisitor& field);
};

// Of one output: the candidate's type, and how far from the reference it may be.
struct OutputTolerance {
  program::DType dtype = program::DType::kFloat32;
  double atol = 0, rtol = 0;
  void fields(base::FieldVisitor& field);
};

struct DeviceWork {
  // Requests whose programs end with the forward in question; earlier ones come before it. Images have machine code.
  const RunRequest* reference = nullptr;
  const RunRequest* candidate = nullptr;
  std::vector<DeviceDraw> draws;  // tried in this order until one is wrong; the last one is timed
  bool all_draws = false;         // also after a wrong one
  bool time_wrong = false;        // what is wrong too
  std::vector<OutputTolerance> tolerances;
  bool tf32 = false;   // products may see their operands in TF32
  bool tuned = false;  // of launches with several variants the fastest is found first
  bool timed = true;
  int warmup = 10, trials = 50;
  bool use_events = true;         // times are the GPU's own; else the host's, from idle to idle
  std::int64_t budget_ms = 1500;  // for all trials: fewer where they take long
  std::uint64_t secret = 0;       // of the places at which the outputs of all trials are looked at
};

struct DeviceDrawResult {
  std::string variation;
  std::string not_applicable;      // nothing to compare, and why
  RunOutcome outcome;              // the candidate's, without tensors
  std::int64_t broken_fences = 0;  // bytes that it wrote beside its tensors
  std::vector<OutputComparison> outputs;

  bool right() const;
};

struct MeasuredTimes {
  std::vector<double> reference_us, candidate_us;       // by trial
  double reference_host_us = 0, candidate_host_us = 0;  // to hand the work over
  int hidden = 0;                                       // trials in which the GPU never waited for the host
  bool reference_known = false;  // its times are of an earlier candidate of the task; a few trials now agree with them
  int differing = 0;             // trials whose outputs were others than those of the first
  std::vector<OutputComparison> outputs;  // of the first trial
};

struct DeviceReport {
  RunOutcome reference;  // not completed: it does not run here, and nothing else was tried
  std::vector<DeviceDrawResult> draws;
  RunOutcome timing;  // not completed: of a candidate that was right before
  std::optional<MeasuredTimes> times;
  std::vector<LaunchChoice> tuned;  // the variants that were found fastest; `image` is not told
  double numerics_ms = 0, timing_ms = 0, waited_ms = 0;
};

// One GPU, for one candidate at a time; while it is timed also for one process of this machine at a time. Two processes
// hold it: the referee's draws inputs, computes what is expected and compares; the candidate's sees inputs alone and
// hands its outputs over as memory of the GPU. A process whose context a candidate broke, or that did not answer in
// time, is killed and replaced by one that is warm already; a candidate that met a broken one is tried again.
// Thread-safe.
class Device {
 public:
  // Starts both processes. UserError where there is no GPU that can be used.
  explicit Device(DeviceOptions options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // InfrastructureError if the machine fails; all that the programs do is in the report.
  DeviceReport judge(const DeviceWork& work);

  // Runs `work` while nothing else of ours uses the GPU or its memory.
  void alone(const std::function<void()>& work);
  // Runs `work`, which uses the GPU, while others may compute there but nobody measures time.
  void beside(const std::function<void()>& work);

  const DeviceFacts& facts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::runner
