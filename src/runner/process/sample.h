#pragma once

#include <optional>
#include <vector>

#include "runner/process/known_values.h"
#include "runner/process/launches.h"
#include "runner/process/liveness.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// A run at real shapes without the work: launches execute some of their programs, for their accesses, counters and
// branches. Storages are address space, filled where a kernel touches it. What is cheap and needs nothing but what was
// itself computed is computed: indices and masks decide where kernels read. One use each.
class Sample {
 public:
  Sample(const RunRequest& request, ReadyKernels& kernels);

  RunOutcome run();

 private:
  void run_section(std::size_t index);
  void give_drawn(int step);  // what the request has for the state, where the constructor makes it
  void run_call(const program::AtenCall& call, Section section);
  void drop(const std::vector<int>& storages);
  void run_launch(const program::Launch& launch);
  bool compute(const program::AtenCall& call, const program::Operator& op);
  bool is_real(program::TensorRef ref);
  void invent(const program::AtenCall& call, const program::Operator& op);

  const RunRequest& request_;
  const program::Program& program_;
  const std::vector<PlannedSection> plan_;
  const Liveness liveness_;
  Storages storages_;
  MachineExecutor executor_;
  std::vector<bool> real_;             // by storage: holds what the program would compute
  std::optional<KnownValues> values_;  // where the request wants rows
  RunOutcome outcome_;
  StepPlace at_;
};

}  // namespace tritonrl::runner
