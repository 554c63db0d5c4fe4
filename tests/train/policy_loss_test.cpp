#include "train/policy_loss.h"

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "tests/model/golden.h"
#include "tests/paths.h"

namespace tritonrl::train {
namespace {

at::Tensor tensor_of(const base::Json& numbers) {
  std::vector<double> values;
  for (const base::Json& each : numbers.elements()) values.push_back(each.real());
  return at::tensor(values).to(at::kFloat);
}

// scripts/make_policy_goldens.py writes what torch's autograd makes of the formula.
TEST(PolicyLoss, IsAutogradsInValueAndGradients) {
  const auto cases = base::Json::try_parse(base::read_file(source_path("tests/train/goldens/policy.json")));
  ASSERT_TRUE(cases);
  ASSERT_EQ(cases->size(), 8U);
  for (const base::Json& c : cases->elements()) {
    const at::Tensor targets = tensor_of(c.at("targets")).to(at::kLong);
    const std::int64_t rows = targets.size(0);
    MicroBatch batch;
    batch.weights = tensor_of(c.at("advantages"));
    batch.old_log_probabilities = tensor_of(c.at("old"));
    batch.reference_log_probabilities = tensor_of(c.at("reference"));
    const PolicyOptions options{
        .clip_low = c.at("low").real(), .clip_high = c.at("high").real(), .kl = c.at("kl").real()};
    for (const std::int64_t chunk : {0, 3}) {
      const at::Tensor hidden = tensor_of(c.at("hidden")).view({rows, -1}).set_requires_grad(true);
      const at::Tensor head = tensor_of(c.at("head")).view({-1, hidden.size(1)}).set_requires_grad(true);
      PolicySums sums{.clipped = at::zeros({}), .kl = at::zeros({})};
      const at::Tensor loss = chunked_loss(hidden, head, targets,
                                           policy_loss(batch, options, 1.0 / static_cast<double>(rows), sums), chunk);
      loss.backward();
      EXPECT_NEAR(loss.item<double>(), c.at("loss").real(), 1e-5);
      EXPECT_LT(model::relative_error(hidden.grad().flatten(), tensor_of(c.at("hidden_gradient"))), 1e-5);
      EXPECT_LT(model::relative_error(head.grad().flatten(), tensor_of(c.at("head_gradient"))), 1e-5);
      if (options.kl > 0) {
        EXPECT_GT(sums.kl.item<double>(), 0);
      }
    }
  }
}

TEST(PolicyLoss, ATokenThatMovedFarIsNotPushedOn) {
  // likelier by half already, and wanted; rarer by half, and not wanted; likelier, but not wanted: pushed back
  MicroBatch batch;
  batch.weights = at::tensor({1.0f, -1.0f, -1.0f});
  batch.old_log_probabilities = at::zeros({3});
  PolicySums sums{.clipped = at::zeros({}), .kl = at::zeros({})};
  const TokenTerms terms = policy_loss(batch, {}, 1, sums)(at::tensor({0.5f, -0.5f, 0.5f}), 0);
  EXPECT_EQ(terms.weights[0].item<float>(), 0);
  EXPECT_EQ(terms.weights[1].item<float>(), 0);
  EXPECT_LT(terms.weights[2].item<float>(), 0);
  EXPECT_EQ(sums.clipped.item<float>(), 2);
}

}  // namespace
}  // namespace tritonrl::train
