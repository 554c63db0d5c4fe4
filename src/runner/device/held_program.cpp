#include "runner/device/held_program.h"

#include <ATen/ops/clone.h>

#include <set>

#include "runner/process/stop.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {

HeldProgram::HeldProgram(Message message, DeviceSpace& space) : space_(space) {
  const base::Result<const RunRequest*> request = reader_.next(std::move(message));
  if (!request.ok()) throw Stop{RunOutcome::Kind::kMalformed, request.error()};
  request_ = request.value();
  if (request_->program->forwards.empty()) throw Stop{RunOutcome::Kind::kMalformed, "a program without a forward"};
}

HeldProgram::~HeldProgram() = default;

void HeldProgram::prepare(std::uint64_t seed) {
  if (executor_ != nullptr) tuned_ = executor_->tuned();
  executor_ = nullptr;
  replay_.reset();  // its memory first
  replay_ = std::make_unique<Replay>(*request_, space_, [this](const RunRequest& request, Storages& storages) {
    auto made = std::make_unique<CudaExecutor>(request, storages, kernels_);
    executor_ = made.get();
    return made;
  });
  executor_->set_tuned(tuned_);
  for (std::size_t i = 0; i + 2 < replay_->plan().size(); ++i) {
    // the constructor draws what the reference's draws; earlier forwards have inputs of their own
    replay_->run_planned(i, i == 0 ? seed : seed + 1000 + i);
    replay_->release(i);
  }
  replay_->hold_state();
}

std::vector<at::Tensor> HeldProgram::draw_inputs(std::uint64_t seed) {
  replay_->run_planned(last_section() - 1, seed);
  std::vector<at::Tensor> out;
  for (const program::TensorRef ref : tensors_of(last().inputs)) out.push_back(replay_->storages().view(ref));
  return out;
}

void HeldProgram::give_inputs(const std::vector<at::Tensor>& inputs) {
  Storages& storages = replay_->storages();
  const std::vector<program::TensorRef> refs = tensors_of(last().inputs);
  if (refs.size() != inputs.size()) throw Stop{RunOutcome::Kind::kMalformed, "another number of inputs"};
  std::set<int> renewed;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const int storage = storages.tensor(refs[i]).storage;
    if (renewed.insert(storage).second) storages.make_unwritten(storage);
    storages.view(refs[i]).copy_(inputs[i]);
    storages.define(storage);
  }
}

void HeldProgram::prepare_memory() {
  replay_->prepare_memory(last_section());
}

void HeldProgram::forward(std::uint64_t seed) {
  replay_->run_planned(last_section(), seed);
}

std::vector<at::Tensor> HeldProgram::outputs() {
  std::vector<at::Tensor> out;
  for (const program::TensorRef ref : tensors_of(last().outputs)) out.push_back(replay_->storages().view(ref));
  return out;
}

std::vector<at::Tensor> HeldProgram::forward_widened() {
  return replay_->run_widened(last_section());
}

std::vector<at::Tensor> HeldProgram::forward_in_tf32(std::uint64_t seed) {
  replay_->round_products(true);
  try {
    forward(seed);
  } catch (...) {
    replay_->round_products(false);
    throw;
  }
  replay_->round_products(false);
  std::vector<at::Tensor> out;
  for (const at::Tensor& one : outputs()) out.push_back(one.clone());
  return out;
}

void HeldProgram::rewind() {
  replay_->restore_state();
}

}  // namespace tritonrl::runner
