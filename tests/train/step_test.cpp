#include "train/step.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "model/adapter.h"
#include "model/loss.h"
#include "tests/model/golden.h"
#include "tests/train/small_data.h"

namespace tritonrl::train {
namespace {

using model::relative_error;

// A model with everything around it that one step needs.
struct Bench {
  std::unique_ptr<model::Transformer> model;
  std::unique_ptr<FlatParameters> parameters;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<Communicator> alone = single_process();
  std::unique_ptr<TrainingStep> step;

  Bench(bool lora, const StepOptions& options = {}, c10::ScalarType dtype = at::kFloat, double dropout = 0,
        OptimizerKind kind = OptimizerKind::kAdamW)
      : model(model::small_random_model(3, {.dtype = dtype, .trainable = !lora})) {
    few_threads();
    if (lora) {
      model::add_adapter(*model, {.r = 4, .alpha = 8, .dropout = dropout}, 5);
      // b is zero at first: make it matter
      const at::NoGradGuard no_grad;
      at::manual_seed(1);
      for (model::NamedTensor& each : model::adapter_parameters(*model)) each.tensor.normal_(0, 0.1);
    }
    parameters = std::make_unique<FlatParameters>(trained_parameters(*model));
    optimizer = std::make_unique<Optimizer>(*parameters, OptimizerOptions{.kind = kind});
    step = std::make_unique<TrainingStep>(*model, *parameters, *optimizer, *alone, options);
  }
};

// oneDNN tries bf16 first and fails with an exception a product on processors without it: seconds a step.
struct WithoutMkldnn {
  bool before = at::globalContext().userEnabledMkldnn();
  WithoutMkldnn() { at::globalContext().setUserEnabledMkldnn(false); }
  ~WithoutMkldnn() { at::globalContext().setUserEnabledMkldnn(before); }
};

std::int64_t labelled_in(const std::vector<MicroBatch>& batches) {
  std::int64_t labelled = 0;
  for (const MicroBatch& batch : batches) labelled += batch.labelled();
  return labelled;
}

StepOutcome run(Bench& bench, const std::vector<MicroBatch>& batches, double rate = 1e-3) {
  return bench.step->run(batches, labelled_in(batches), rate, 7);
}

std::vector<Example> part(const std::vector<Example>& all, std::size_t begin, std::size_t end) {
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

TEST(Step, LossAndGradientsAreThoseOfTheWholeModel) {
  for (const bool lora : {true, false}) {
    const MicroBatch batch = batch_of(random_examples(6, 2));
    Bench bench(lora, {.clip = 0});
    const StepOutcome outcome = run(bench, {batch}, 0);
    const Bench plain(lora);
    const at::Tensor logits = plain.model->logits(plain.model->hidden_states(batch.batch)).index_select(0, batch.rows);
    const at::Tensor loss = model::cross_entropy(logits, batch.targets);
    loss.backward();
    EXPECT_LT(relative_error(outcome.loss, loss.detach()), 1e-5);
    EXPECT_LT(relative_error(bench.parameters->gradients(), plain.parameters->gradients()), 1e-4);
    EXPECT_LT(relative_error(outcome.gradient_norm, plain.parameters->gradients().norm()), 1e-4);
  }
}

TEST(Step, ManySmallBatchesAreOneLargeOne) {
  const std::vector<Example> examples = random_examples(7, 2);
  for (const bool lora : {true, false}) {
    Bench one(lora), two(lora);
    const StepOutcome whole = run(one, {batch_of(examples)});
    const StepOutcome parts = run(two, {batch_of(part(examples, 0, 2)), batch_of(part(examples, 2, 7))});
    EXPECT_LT(relative_error(parts.loss, whole.loss), 1e-5);
    EXPECT_LT(relative_error(two.parameters->gradients(), one.parameters->gradients()), 1e-4);
  }
}

TEST(Step, GradientsAreClippedTogether) {
  Bench bench(true, {.clip = 0.01});
  const StepOutcome outcome = run(bench, {batch_of(random_examples(4, 2))});
  EXPECT_GT(outcome.gradient_norm.item<double>(), 0.01);
  EXPECT_NEAR(bench.parameters->gradients().norm().item<double>(), 0.01, 1e-5);
}

TEST(Step, WeightsOfTokensScaleTheirGradients) {
  MicroBatch batch = batch_of(random_examples(4, 2));
  Bench plain(true, {.clip = 0}), weighted(true, {.clip = 0});
  run(plain, {batch}, 0);
  batch.weights = batch.weights * -2;
  run(weighted, {batch}, 0);
  EXPECT_LT(relative_error(weighted.parameters->gradients(), plain.parameters->gradients() * -2), 1e-5);
}

TEST(Step, RecomputedBlocksGiveTheSameGradientsAlsoWithDropout) {
  const std::vector<MicroBatch> batches = {batch_of(random_examples(4, 2)), batch_of(random_examples(3, 8))};
  for (const bool lora : {true, false}) {
    Bench kept(lora, {}, at::kFloat, 0.3), again(lora, {.recompute = true}, at::kFloat, 0.3);
    const StepOutcome a = run(kept, batches), b = run(again, batches);
    EXPECT_EQ(a.loss.item<float>(), b.loss.item<float>());
    EXPECT_LT(relative_error(again.parameters->gradients(), kept.parameters->gradients()), 1e-6);
    EXPECT_GT(kept.parameters->gradients().norm().item<double>(), 0);
  }
}

TEST(Step, EqualSeedsDropEqually) {
  Bench a(true, {}, at::kFloat, 0.5), b(true, {}, at::kFloat, 0.5), c(true, {}, at::kFloat, 0.5);
  const std::vector<MicroBatch> batches = {batch_of(random_examples(4, 2))};
  const float first = a.step->run(batches, labelled_in(batches), 0, 1).loss.item<float>();
  EXPECT_EQ(b.step->run(batches, labelled_in(batches), 0, 1).loss.item<float>(), first);
  EXPECT_NE(c.step->run(batches, labelled_in(batches), 0, 2).loss.item<float>(), first);
}

TEST(Step, AllKindsOfTrainingLearnABatchByHeart) {
  const std::vector<MicroBatch> batches = {batch_of(random_examples(3, 2))};
  struct Case {
    bool lora;
    c10::ScalarType dtype;
    OptimizerKind kind;
    double rate;
  };
  for (const Case& each :
       {Case{true, at::kFloat, OptimizerKind::kAdamW, 2e-2}, Case{true, at::kBFloat16, OptimizerKind::kAdamW, 2e-2},
        Case{false, at::kFloat, OptimizerKind::kAdamW, 3e-3}, Case{false, at::kBFloat16, OptimizerKind::kAdamW, 3e-3},
        Case{false, at::kFloat, OptimizerKind::kMuon, 1e-2}, Case{false, at::kBFloat16, OptimizerKind::kMuon, 1e-2}}) {
    const WithoutMkldnn quick;
    Bench bench(each.lora, {}, each.dtype, 0, each.kind);
    const double before = run(bench, batches, each.rate).loss.item<double>();
    for (int i = 0; i < 3; ++i) run(bench, batches, each.rate);
    const double after = run(bench, batches, each.rate).loss.item<double>();
    EXPECT_LT(after, 0.9 * before) << "lora " << each.lora << " dtype " << each.dtype << " muon "
                                   << (each.kind == OptimizerKind::kMuon) << " from " << before;
  }
}

TEST(Step, LowPrecisionWeightsFollowTheirMasters) {
  const WithoutMkldnn quick;
  Bench bench(false, {}, at::kBFloat16);
  const std::vector<MicroBatch> batches = {batch_of(random_examples(1, 2))};
  // steps so small that bf16 alone would round nearly all of them away
  const at::Tensor before = bench.parameters->values().clone();
  for (int i = 0; i < 3; ++i) run(bench, batches, 1e-6);
  EXPECT_NEAR((bench.parameters->values() - before).abs().max().item<double>(), 3e-6, 1e-6);
  for (const FlatParameters::Slice& slice : bench.parameters->slices()) {
    if (slice.name != "model.layers.0.mlp.down_proj.weight") continue;
    const at::Tensor master = bench.parameters->view(bench.parameters->values(), slice).to(at::kBFloat16);
    EXPECT_TRUE(at::equal(master, bench.model->layers()[0].down.weight()));
    return;
  }
  FAIL() << "no such parameter";
}

}  // namespace
}  // namespace tritonrl::train
