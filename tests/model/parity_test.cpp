#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "model/adapter.h"
#include "model/loss.h"
#include "tests/model/golden.h"
#include "tests/paths.h"

// Against transformers and peft, from goldens that scripts/make_model_goldens.py remakes.
namespace tritonrl::model {
namespace {

class Parity : public testing::TestWithParam<std::string> {};

at::Tensor logits_of(const Transformer& model, const PackedBatch& batch) {
  return model.logits(model.hidden_states(batch));
}

TEST_P(Parity, PackedLogits) {
  const Golden golden(GetParam());
  const at::NoGradGuard no_grad;
  EXPECT_LT(relative_error(logits_of(*golden.load(), golden.batch()), golden.expected("logits")), kFloatTolerance);
}

TEST_P(Parity, EachSequenceAlone) {
  const Golden golden(GetParam());
  const at::NoGradGuard no_grad;
  const auto model = golden.load();
  std::int64_t start = 0;
  for (const auto& sequence : golden.sequences()) {
    const auto length = static_cast<std::int64_t>(sequence.size());
    const std::vector<std::vector<std::int32_t>> alone = {sequence};
    const at::Tensor logits = logits_of(*model, PackedBatch::make(alone, c10::Device(c10::kCPU)));
    EXPECT_LT(relative_error(logits, golden.expected("logits").narrow(0, start, length)), kFloatTolerance);
    start += length;
  }
}

TEST_P(Parity, BFloat16Logits) {
  const Golden golden(GetParam());
  const at::NoGradGuard no_grad;
  const at::Tensor ours = logits_of(*golden.load({.dtype = c10::kBFloat16}), golden.batch());
  const at::Tensor exact = golden.expected("logits");
  const double between = relative_error(ours, golden.expected("logits_bf16"));
  const double own = relative_error(ours, exact);
  const double theirs = relative_error(golden.expected("logits_bf16"), exact);
  std::cout << "bf16: " << between << " from transformers' bf16; from fp32 " << own << ", transformers " << theirs
            << "\n";
  EXPECT_LT(between, kBFloat16Tolerance);
  EXPECT_LT(own, 1.5 * theirs);  // no less exact than the reference
}

TEST_P(Parity, Loss) {
  const Golden golden(GetParam());
  const PackedBatch batch = golden.batch();
  const at::Tensor loss =
      cross_entropy(logits_of(*golden.load(), batch), next_labels(golden.expected("labels"), batch));
  EXPECT_LT(relative_error(loss, golden.expected("loss")), kFloatTolerance);
}

TEST_P(Parity, AdapterLossAndGradients) {
  const Golden golden(GetParam());
  const auto model = golden.load();
  load_adapter(*model, golden.adapter_folder(), {.trainable = true});
  const PackedBatch batch = golden.batch();
  const at::Tensor logits = logits_of(*model, batch);
  EXPECT_LT(relative_error(logits, golden.expected("adapter_logits")), kFloatTolerance);
  const at::Tensor loss = cross_entropy(logits, next_labels(golden.expected("labels"), batch));
  EXPECT_LT(relative_error(loss, golden.expected("adapter_loss")), kFloatTolerance);
  loss.backward();
  const auto parameters = adapter_parameters(*model);
  EXPECT_EQ(parameters.size(), 2U * 2 * 7);
  for (const NamedTensor& parameter : parameters) {
    ASSERT_TRUE(golden.has("gradient." + parameter.name)) << parameter.name;
    EXPECT_LT(relative_error(parameter.tensor.grad(), golden.expected("gradient." + parameter.name)), kFloatTolerance)
        << parameter.name;
  }
}

// The checks above can tell a wrong adapter: one that is not there gives other logits.
TEST_P(Parity, AdapterMatters) {
  const Golden golden(GetParam());
  const at::NoGradGuard no_grad;
  EXPECT_GT(relative_error(logits_of(*golden.load(), golden.batch()), golden.expected("adapter_logits")), 0.1);
}

// Whole models in llama.cpp's files, with tensors that are equal to those which transformers reads (weights_gguf_test).
TEST(Gguf, OfEveryFamilyIsAModel) {
  const at::NoGradGuard no_grad;
  for (const char* family : {"llama", "qwen2", "qwen3"}) {
    const std::string file = source_path("tests/weights/goldens/") + family + ".gguf";
    const auto model = Transformer::load(weights::open_model({weights::ModelLocation::Kind::kGguf, file}), {});
    const std::vector<std::vector<std::int32_t>> sequences = {{1, 2, 3}};
    const at::Tensor logits = logits_of(*model, PackedBatch::make(sequences, c10::Device(c10::kCPU)));
    EXPECT_TRUE(logits.isfinite().all().item<bool>()) << family;
  }
}

// Every parameter of a model trained from scratch gets a gradient that finite differences confirm.
TEST(Gradients, OfAllParametersAgainstFiniteDifferences) {
  const auto model = small_random_model(3, {.dtype = c10::kDouble, .trainable = true});
  const std::vector<std::vector<std::int32_t>> sequences = {random_tokens(9, 1, 200), random_tokens(5, 2, 200)};
  const PackedBatch batch = PackedBatch::make(sequences, c10::Device(c10::kCPU));
  const at::Tensor targets = next_labels(batch.tokens, batch);
  const auto loss = [&] {
    const at::Tensor chosen =
        model->logits(model->hidden_states(batch)).log_softmax(-1).gather(1, targets.clamp_min(0).unsqueeze(1));
    return -(chosen.squeeze(1) * targets.ge(0)).mean();
  };
  loss().backward();
  for (const NamedTensor& parameter : model->parameters()) {
    ASSERT_TRUE(parameter.tensor.grad().defined()) << parameter.name;
    const at::NoGradGuard no_grad;
    const at::Tensor flat = parameter.tensor.view({-1});
    const std::int64_t place = flat.numel() / 2 + 1;
    const at::Tensor element = flat.narrow(0, place, 1);
    const double step = 1e-5;
    element.add_(step);
    const double above = loss().item<double>();
    element.sub_(2 * step);
    const double below = loss().item<double>();
    element.add_(step);
    const double expected = (above - below) / (2 * step);
    EXPECT_NEAR(parameter.tensor.grad().view({-1})[place].item<double>(), expected, 1e-7 + 1e-5 * std::abs(expected))
        << parameter.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, Parity, testing::ValuesIn(Golden::names()),
                         [](const auto& golden) { return golden.param; });

}  // namespace
}  // namespace tritonrl::model
