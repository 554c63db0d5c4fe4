#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/device.h"

// What is asked of a process on the GPU and what it answers: "do" of a request's header says which it is, and beside
// "load" (request_wire.h), "hello" and "release" they are these and DeviceDraw. An answer also has the fields of a
// RunOutcome and "broken".
namespace tritonrl::runner {

// Memory of the GPU that two processes see. Its descriptors come with the message, inputs first.
struct SharedTensor {
  std::int64_t bytes = 0;
  std::vector<std::int64_t> sizes;
  int dtype = 0;  // torch's own number
  void fields(base::FieldVisitor& field);
};

struct DrawAnswer {
  std::string not_applicable;  // nothing was drawn, and why
  std::vector<SharedTensor> inputs, outputs;
  void fields(base::FieldVisitor& field);
};

struct RunOrder {
  std::uint64_t seed = 0;
  bool tune = false;
  std::vector<SharedTensor> inputs, outputs;  // as the draw answered
  void fields(base::FieldVisitor& field);
};

struct RunAnswer {
  std::int64_t broken_fences = 0;
  std::vector<LaunchChoice> tuned;
  void fields(base::FieldVisitor& field);
};

struct CompareOrder {
  std::vector<OutputTolerance> outputs;
  bool tf32 = false;  // DeviceWork
  void fields(base::FieldVisitor& field);
};

struct CompareAnswer {
  std::vector<OutputComparison> outputs;
  void fields(base::FieldVisitor& field);
};

struct DeviceTimingOptions {
  int warmup = 10, trials = 50;
  bool use_events = true;         // else the host's clock, from an idle GPU to an idle one: hand-over and all
  std::int64_t budget_ms = 1500;  // for all of it; fewer trials where they would take longer, but never fewer than five
  // Fewer trials are enough once both means are known so well (standard error over mean).
  double enough = 0.001;
  std::uint64_t seed = 0;    // of what forwards draw; the process knows it
  std::uint64_t secret = 0;  // of the places at which outputs are looked at
  double reference_us = 0;   // known from before: a few trials that agree are enough; 0: not known
  void fields(base::FieldVisitor& field);
};

struct DeviceTimes {
  std::vector<double> reference_us, candidate_us;       // by trial, by the clock that was asked for
  double reference_host_us = 0, candidate_host_us = 0;  // that it took to hand the work over, median
  int hidden = 0;     // trials of the candidate whose hand-over was behind what the GPU still had to do: nothing waited
                      // for the host
  int differing = 0;  // trials in which the candidate returned something else than in the first one
  void fields(base::FieldVisitor& field);
};

}  // namespace tritonrl::runner
