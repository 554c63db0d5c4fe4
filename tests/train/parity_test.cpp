#include <gtest/gtest.h>

#include <iostream>

#include "model/adapter.h"
#include "model/stored_tensor.h"
#include "tests/model/golden.h"
#include "tests/paths.h"
#include "tests/train/small_data.h"
#include "train/schedule.h"
#include "train/step.h"
#include "weights/model_files.h"
#include "weights/safetensors.h"

// Fifty steps of LoRA beside transformers and peft on the same data, in the same order, with the same hyper-parameters:
// scripts/make_training_goldens.py, which names the constants below too.
namespace tritonrl::train {
namespace {

constexpr std::int64_t kSteps = 50, kSequences = 4;

std::filesystem::path run_folder() {
  return source_path("tests/train/goldens/run");
}

std::vector<std::vector<Example>> golden_steps(const weights::TensorFiles& expected) {
  const at::Tensor tokens = model::as_tensor(expected.load("tokens")),
                   lengths = model::as_tensor(expected.load("lengths"));
  std::vector<std::vector<Example>> steps(kSteps);
  const auto* token = tokens.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < kSteps * kSequences; ++i) {
    const std::int64_t length = lengths.const_data_ptr<std::int64_t>()[i];
    Example example{.tokens = {token, token + length}, .prompt = std::max<std::int64_t>(1, length / 3)};
    token += length;
    steps[static_cast<std::size_t>(i / kSequences)].push_back(std::move(example));
  }
  return steps;
}

TEST(Parity, LossCurveAndFinalAdapterAreThoseOfPeft) {
  few_threads();
  const auto expected = weights::open_safetensors(run_folder() / "expected.safetensors");
  const auto model = model::Transformer::load(
      weights::open_model({weights::ModelLocation::Kind::kFolder, run_folder()}), {.dtype = at::kFloat});
  model::load_adapter(*model, run_folder() / "start", {.any_base = true, .trainable = true});
  FlatParameters parameters(trained_parameters(*model));
  Optimizer optimizer(parameters, {.beta2 = 0.999, .weight_decay = 0.01});
  const auto alone = single_process();
  TrainingStep step(*model, parameters, optimizer, *alone, {.clip = 0.5});
  const Schedule schedule{.learning_rate = 1e-2, .warmup = 0.1, .final_fraction = 0.1};
  const at::Tensor losses = model::as_tensor(expected->load("losses"));
  const at::Tensor norms = model::as_tensor(expected->load("gradient_norms"));
  std::int64_t number = 0;
  double worst_loss = 0, worst_norm = 0, worst_matrix = 0;
  for (const std::vector<Example>& examples : golden_steps(*expected)) {
    const std::vector<MicroBatch> batches = {batch_of({examples[0], examples[2]}),
                                             batch_of({examples[1], examples[3]})};
    const std::int64_t labelled = batches[0].labelled() + batches[1].labelled();
    const StepOutcome outcome = step.run(batches, labelled, schedule.rate(number, kSteps), /*seed=*/1);
    const double loss_error = model::relative_error(outcome.loss, losses[number]);
    const double norm_error = model::relative_error(outcome.gradient_norm, norms[number]);
    worst_loss = std::max(worst_loss, loss_error);
    worst_norm = std::max(worst_norm, norm_error);
    EXPECT_LT(loss_error, 1e-4) << "step " << number;
    EXPECT_LT(norm_error, 1e-3) << "step " << number;
    ++number;
  }
  const auto end = weights::open_safetensors(run_folder() / "end/adapter_model.safetensors");
  for (const model::NamedTensor& parameter : model::adapter_parameters(*model)) {
    const double error = model::relative_error(parameter.tensor, model::as_tensor(end->load(parameter.name)));
    EXPECT_LT(error, 1e-3) << parameter.name;
    worst_matrix = std::max(worst_matrix, error);
  }
  std::cout << kSteps << " steps against transformers and peft, largest relative differences: loss " << worst_loss
            << ", gradient norm " << worst_norm << ", final adapter " << worst_matrix << "\n";
}

}  // namespace
}  // namespace tritonrl::train
