#pragma once

#include <map>

#include "runner/process/launches.h"
#include "runner/process/liveness.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Executes a program as its request says. One use each.
class Replay {
 public:
  Replay(const RunRequest& request, ReadyKernels& kernels);

  // Whatever stops the run is in the outcome.
  RunOutcome run();

 private:
  void run_all();
  void run_section(std::size_t index);
  void run_widened(std::size_t index);
  void run_step(const program::Step& step);
  void run_launch(const program::Launch& launch);
  void check_answer(const program::Question& question);
  void give_inputs(int forward);
  void keep_results(const PlannedSection& section);
  void finish_initialise();
  TensorData data_of(program::TensorRef ref);
  std::vector<TensorData> data_of(const program::Structure& structure);
  void save_state();
  void restore_state();

  const RunRequest& request_;
  const program::Program& program_;
  const std::vector<PlannedSection> plan_;
  const Liveness liveness_;
  Storages storages_;
  MachineExecutor executor_;
  std::map<StepPlace, LaunchChoice> choices_;
  RunOutcome outcome_;
  StepPlace at_;
  ForwardResult pending_;  // of the forward that is being executed
  bool done_ = false;      // the launch to run alone has run

  std::vector<bool> initial_;           // storages that exist after initialise
  std::vector<Storages::Saved> saved_;  // of them, those that forwards may write
};

}  // namespace tritonrl::runner
