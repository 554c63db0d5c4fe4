#include "train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "model/stored_tensor.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "weights/safetensors.h"

// Against torch.optim, by scripts/make_training_goldens.py.
namespace tritonrl::train {
namespace {

std::shared_ptr<const weights::TensorFiles> optimizer_golden() {
  return weights::open_safetensors(source_path("tests/train/goldens/optimizers.safetensors"));
}

at::Tensor golden_tensor(const std::string& name) {
  return model::as_tensor(optimizer_golden()->load(name)).clone();
}

// The golden's parameters: two matrices of one shape that are joined of three parts, a tall one, a table, a vector.
std::vector<Parameter> golden_parameters() {
  const auto leaf = [](const std::string& name) { return golden_tensor("start." + name).set_requires_grad(true); };
  return {{.name = "vector", .tensor = leaf("vector"), .kind = ParameterKind::kVector},
          {.name = "joined_a", .tensor = leaf("joined_a"), .parts = {8, 4, 4}},
          {.name = "tall", .tensor = leaf("tall"), .parts = {24}},
          {.name = "table", .tensor = leaf("table"), .kind = ParameterKind::kEmbedding},
          {.name = "joined_b", .tensor = leaf("joined_b"), .parts = {8, 4, 4}}};
}

void follow(const std::string& name, const OptimizerOptions& options, double tolerance) {
  const std::vector<Parameter> named = golden_parameters();
  FlatParameters parameters(named);
  Optimizer optimizer(parameters, options);
  for (int step = 0; step < 5; ++step) {
    const at::NoGradGuard no_grad;
    for (const FlatParameters::Slice& slice : parameters.slices())
      parameters.view(parameters.gradients(), slice)
          .copy_(golden_tensor("gradient" + std::to_string(step) + "." + slice.name));
    optimizer.step(0.01);
  }
  for (const Parameter& parameter : named) {
    const at::Tensor moved = golden_tensor(name + "." + parameter.name) - golden_tensor("start." + parameter.name);
    const at::Tensor ours = parameter.tensor.detach() - golden_tensor("start." + parameter.name);
    EXPECT_LT(model::relative_error(ours, moved), tolerance) << name << " " << parameter.name;
  }
}

TEST(Optimizer, AdamWIsTorchs) {
  follow("adamw", {.beta2 = 0.95, .weight_decay = 0.1}, 1e-5);
}

TEST(Optimizer, MuonIsTorchsForMatricesAndAdamWForTheRest) {
  // torch takes Newton–Schulz's steps in bf16
  follow("muon", {.kind = OptimizerKind::kMuon, .beta2 = 0.95, .weight_decay = 0.1}, 2e-2);
}

TEST(Optimizer, StateHasANameForEveryTensor) {
  FlatParameters parameters(golden_parameters());
  EXPECT_EQ(Optimizer(parameters, {}).state().size(), 10U);
  EXPECT_EQ(Optimizer(parameters, {.kind = OptimizerKind::kMuon}).state().size(), 7U);
}

}  // namespace
}  // namespace tritonrl::train
