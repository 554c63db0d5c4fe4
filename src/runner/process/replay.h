#pragma once

#include <map>
#include <memory>

#include "runner/process/kernel_executor.h"
#include "runner/process/liveness.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Executes a program as its request says, in a space of memory and by an executor of kernels.
class Replay {
 public:
  Replay(const RunRequest& request, MemorySpace& space, const MakeExecutor& make_executor);

  // All of it. Whatever stops the run is in the outcome. One use each.
  RunOutcome run();

  // The same in parts, for a caller that goes through the plan by itself, some of it several times. They throw Stop.
  const std::vector<PlannedSection>& plan() const { return plan_; }
  // Executes a section of the plan with the random draws of `seed`. What it made stays until `release`.
  void run_planned(std::size_t index, std::uint64_t seed);
  // The outputs of a forward whose inputs are there, computed in higher precision (RunRequest::oracle).
  std::vector<at::Tensor> run_widened(std::size_t index);
  void round_products(bool on) { tf32_ = on; }  // RunRequest::tf32, from here on
  void release(std::size_t index);              // what nothing needs after this section
  // Before a forward that is to run more than once: what is there now stays until the end.
  void hold_state();
  void restore_state();                    // the memory as it was then
  void prepare_memory(std::size_t index);  // what the steps of a section will allocate
  Storages& storages() { return storages_; }
  KernelExecutor& executor() { return *executor_; }
  const StepPlace& at() const { return at_; }  // the last step

 private:
  void run_all();
  void run_section(std::size_t index);
  void run_step(const program::Step& step);
  void run_launch(const program::Launch& launch);
  void check_answer(const program::Question& question);
  void give_inputs(int forward);
  const GivenInputs& given_to(int forward) const;
  void save_state();
  void drop(int storage);
  void keep_results(const PlannedSection& section);
  void find_overwritten();
  void finish_initialise();
  TensorData data_of(program::TensorRef ref);
  std::vector<TensorData> data_of(const program::Structure& structure);

  const RunRequest& request_;
  const program::Program& program_;
  const std::vector<PlannedSection> plan_;
  const Liveness liveness_;
  Storages storages_;
  const std::unique_ptr<KernelExecutor> executor_;
  std::map<StepPlace, LaunchChoice> choices_;
  RunOutcome outcome_;
  StepPlace at_;
  ForwardResult pending_;  // of the forward that is being executed
  // What watched forwards were given and what they returned.
  struct Watched {
    Overwritten what;
    program::TensorRef tensor;
    std::string bytes;
    const std::string* given = nullptr;  // they are these, of the request
  };
  std::vector<Watched> watched_;
  bool tf32_ = false;
  bool done_ = false;   // the launch to run alone has run
  bool holds_ = false;  // storages that `initial_` names are not given up

  std::vector<bool> initial_;           // storages that exist after initialise
  std::vector<Storages::Saved> saved_;  // of them, those that forwards may write
};

}  // namespace tritonrl::runner
