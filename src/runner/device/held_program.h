#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runner/device/cuda_executor.h"
#include "runner/device/device_space.h"
#include "runner/process/replay.h"
#include "runner/request_wire.h"

namespace tritonrl::runner {

// A program on the GPU whose last forward can be run again and again, each time from the same state. All functions
// throw Stop for what the program does wrong and DriverError where the driver refuses.
class HeldProgram {
 public:
  // `message` is a RunRequest's. Stop (kMalformed) if it is none.
  HeldProgram(Message message, DeviceSpace& space);
  ~HeldProgram();

  // The state before the last forward: constructor and earlier forwards, with the draws of `seed`.
  void prepare(std::uint64_t seed);
  // What the task's get_inputs makes for it. Views: valid until the next call of anything here.
  std::vector<at::Tensor> draw_inputs(std::uint64_t seed);
  // Inputs from elsewhere, copied to other addresses than the last time.
  void give_inputs(const std::vector<at::Tensor>& inputs);
  // Memory that the forward will allocate, filled: nothing but the program's own work is left for a clock to see.
  void prepare_memory();
  void forward(std::uint64_t seed);
  std::vector<at::Tensor> outputs();  // views
  // The same forward in float64, from the inputs that are there.
  std::vector<at::Tensor> forward_widened();
  // The same forward with products that see their operands in TF32. Copies.
  std::vector<at::Tensor> forward_in_tf32(std::uint64_t seed);
  void rewind();

  CudaExecutor& executor() { return *executor_; }
  bool started() const { return replay_ != nullptr; }
  const StepPlace& at() const { return replay_->at(); }
  const program::Forward& last() const { return request_->program->forwards.back(); }

 private:
  std::size_t last_section() const { return replay_->plan().size() - 1; }

  DeviceSpace& space_;
  RequestReader reader_;
  const RunRequest* request_ = nullptr;
  CudaKernels kernels_;
  std::unique_ptr<Replay> replay_;
  CudaExecutor* executor_ = nullptr;         // of replay_
  std::map<StepPlace, LaunchChoice> tuned_;  // outlives replay_
};

}  // namespace tritonrl::runner
