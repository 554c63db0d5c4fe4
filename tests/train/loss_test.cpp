#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "model/loss.h"
#include "tests/model/golden.h"
#include "train/chunked_loss.h"

namespace tritonrl::train {
namespace {

using model::relative_error;

struct LossCase {
  at::Tensor hidden = at::randn({37, 16}).set_requires_grad(true);
  at::Tensor head = at::randn({51, 16}).set_requires_grad(true);
  at::Tensor targets = at::randint(51, {37}, at::kLong);
  at::Tensor weights = at::rand({37});
};

TEST(ChunkedLoss, EqualsTheWholeLossInValueAndGradients) {
  for (const std::int64_t chunk : {0, 1, 8, 37, 100}) {
    LossCase c;
    const at::Tensor whole =
        -(model::target_log_probabilities(at::matmul(c.hidden, c.head.t()), c.targets) * c.weights).sum();
    (whole * 3).backward();
    const at::Tensor hidden = c.hidden.detach().clone().set_requires_grad(true);
    const at::Tensor head = c.head.detach().clone().set_requires_grad(true);
    const at::Tensor chunked = chunked_loss(hidden, head, c.targets, c.weights, chunk);
    (chunked * 3).backward();
    EXPECT_LT(relative_error(chunked, whole.detach()), 1e-5);
    EXPECT_LT(relative_error(hidden.grad(), c.hidden.grad()), 1e-5);
    EXPECT_LT(relative_error(head.grad(), c.head.grad()), 1e-5);
  }
}

TEST(ChunkedLoss, MeanOverLabelsIsTheModelsCrossEntropy) {
  const LossCase c;
  const at::Tensor expected = model::cross_entropy(at::matmul(c.hidden, c.head.t()), c.targets);
  const at::Tensor mean = chunked_loss(c.hidden, c.head, c.targets, at::full({37}, 1.0 / 37), 8);
  EXPECT_LT(relative_error(mean, expected.detach()), 1e-5);
}

TEST(ChunkedLoss, AFrozenHeadGetsNoGradient) {
  const LossCase c;
  const at::Tensor head = c.head.detach();
  chunked_loss(c.hidden, head, c.targets, c.weights, 8).backward();
  EXPECT_TRUE(c.hidden.grad().defined());
  EXPECT_FALSE(head.grad().defined());
}

}  // namespace
}  // namespace tritonrl::train
