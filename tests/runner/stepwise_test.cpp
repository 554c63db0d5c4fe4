// A replay in parts, as the process on a GPU drives it: the last forward again and again from one state.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "runner/process/launches.h"
#include "runner/process/replay.h"
#include "runner/structure_tensors.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::runner {
namespace {

constexpr char kTask[] = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)
        self.fc = torch.nn.Linear(4, 3)
    def forward(self, x):
        scratch = torch.empty(2, 4, device=x.device)
        scratch.copy_(x)
        return self.fc(self.norm(scratch)) + torch.tensor([1.0, 2.0, 3.0], device=x.device)
def get_inputs():
    return [torch.rand(2, 4)]
)";

class Stepwise : public testing::Test {
 protected:
  Stepwise() : program_(record_task(kTask)) {
    request_.program = &program_;
    request_.keep_state = true;
    request_.want_outputs = false;
    request_.memory_bytes = 1 << 30;
    replay_ =
        std::make_unique<Replay>(request_, HostSpace::instance(), [&](const RunRequest& request, Storages& storages) {
          return std::make_unique<MachineExecutor>(request, storages, kernels_);
        });
  }

  at::Tensor forward(std::uint64_t inputs) {
    const at::NoGradGuard no_gradients;
    replay_->restore_state();
    replay_->run_planned(1, inputs);
    replay_->prepare_memory(2);
    replay_->run_planned(2, 7);
    return replay_->storages().view(tensors_of(program_.forwards.back().outputs).front()).clone();
  }

  void begin() {
    const at::NoGradGuard no_gradients;
    ASSERT_EQ(replay_->plan().size(), 3u);  // constructor, inputs, forward
    replay_->run_planned(0, 5);
    replay_->hold_state();
  }

  const program::Program program_;
  RunRequest request_;
  ReadyKernels kernels_;
  std::unique_ptr<Replay> replay_;
};

// Parameters are not given up after their last use in the plan, and running statistics go back to what they were.
TEST_F(Stepwise, TheLastForwardGivesTheSameAgain) {
  begin();
  const at::Tensor first = forward(11);
  const at::Tensor other = forward(12);
  EXPECT_FALSE(first.equal(other));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(first.equal(forward(11)));
}

TEST_F(Stepwise, InputsAreWrittenToOtherAddresses) {
  begin();
  forward(11);
  const int storage =
      program_.tensors[static_cast<std::size_t>(tensors_of(program_.forwards.back().inputs).front().index)].storage;
  replay_->restore_state();
  replay_->storages().make_unwritten(storage);
  const std::byte* before = replay_->storages().data(storage);
  replay_->storages().make_unwritten(storage);
  EXPECT_NE(replay_->storages().data(storage), before);
}

TEST_F(Stepwise, TheWidenedForwardStartsFromTheSameState) {
  begin();
  const at::Tensor narrow = forward(11);
  const at::NoGradGuard no_gradients;
  replay_->restore_state();
  replay_->run_planned(1, 11);
  const std::vector<at::Tensor> wide = replay_->run_widened(2);
  ASSERT_EQ(wide.size(), 1u);
  EXPECT_EQ(wide[0].scalar_type(), at::kDouble);
  EXPECT_LT((wide[0] - narrow.to(at::kDouble)).abs().max().item().toDouble(), 1e-5);
}

}  // namespace
}  // namespace tritonrl::runner
