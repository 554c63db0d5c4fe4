#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "model/adapter.h"
#include "model/decoder.h"
#include "model/loss.h"
#include "tests/model/golden.h"

// The same model on a GPU. Label gpu; skipped where there is none.
namespace tritonrl::model {
namespace {

const c10::Device kGpu(c10::kCUDA, 0);

class OnDevice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "no GPU";
    at::globalContext().setAllowTF32CuBLAS(false);
  }
};

TEST_P(OnDevice, LogitsLossAndGradientsInFloat32) {
  const Golden golden(GetParam());
  const auto model = golden.load({.device = kGpu, .dtype = c10::kFloat});
  load_adapter(*model, golden.adapter_folder(), {.trainable = true});
  const PackedBatch batch = PackedBatch::make(golden.sequences(), kGpu);
  const at::Tensor logits = model->logits(model->hidden_states(batch));
  EXPECT_LT(relative_error(logits, golden.expected("adapter_logits")), kFloatTolerance);
  const at::Tensor loss = cross_entropy(logits, next_labels(golden.expected("labels").to(kGpu), batch));
  loss.backward();
  for (const NamedTensor& parameter : adapter_parameters(*model)) {
    EXPECT_LT(relative_error(parameter.tensor.grad(), golden.expected("gradient." + parameter.name)), kFloatTolerance)
        << parameter.name;
  }
}

// All parameters, in training: norms and gates have gradients of our own there.
TEST_P(OnDevice, GradientsOfAllParametersAreTheHosts) {
  const Golden golden(GetParam());
  const auto gradients = [&](c10::Device device) {
    const auto model = golden.load({.device = device, .dtype = c10::kFloat, .trainable = true});
    const PackedBatch batch = PackedBatch::make(golden.sequences(), device);
    const at::Tensor logits =
        model->logits(model->hidden_states(batch, {.training = true, .recompute = false, .sink = {}}));
    cross_entropy(logits, next_labels(golden.expected("labels").to(device), batch)).backward();
    return model->parameters();
  };
  const auto here = gradients(c10::kCPU), there = gradients(kGpu);
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_LT(relative_error(there[i].tensor.grad(), here[i].tensor.grad()), kFloatTolerance) << here[i].name;
  }
}

// Packed flash attention, forward and backward, against the same in float32.
TEST_P(OnDevice, BFloat16LogitsAndGradients) {
  const Golden golden(GetParam());
  const auto model = golden.load({.device = kGpu, .dtype = c10::kBFloat16});
  load_adapter(*model, golden.adapter_folder(), {.trainable = true});
  const PackedBatch batch = PackedBatch::make(golden.sequences(), kGpu);
  const at::Tensor logits = model->logits(model->hidden_states(batch));
  EXPECT_LT(relative_error(logits, golden.expected("adapter_logits")), kBFloat16Tolerance);
  cross_entropy(logits, next_labels(golden.expected("labels").to(kGpu), batch)).backward();
  double difference = 0;
  double length = 0;
  for (const NamedTensor& parameter : adapter_parameters(*model)) {
    const at::Tensor expected = golden.expected("gradient." + parameter.name).to(at::kDouble);
    const at::Tensor got = parameter.tensor.grad().to(at::kCPU, at::kDouble);
    difference += (got - expected).pow(2).sum().item<double>();
    length += expected.pow(2).sum().item<double>();
  }
  const double error = std::sqrt(difference / length);
  std::cout << "bf16 LoRA gradients, all together: relative error " << error << "\n";
  EXPECT_LT(error, 0.1);
}

TEST_P(OnDevice, GreedyTokensInFloat32AreThoseOfTransformers) {
  const Golden golden(GetParam());
  const auto model = golden.load({.device = kGpu, .dtype = c10::kFloat});
  Decoder decoder(*model, {.slots = 3, .capacity = 300});
  const auto prompt = golden.sequences()[0];
  const Decoder::Prompt request{2, prompt};
  at::Tensor next = decoder.prefill({&request, 1}).argmax(-1);
  const int slot = 2;
  const at::Tensor expected = golden.expected("greedy");
  for (std::int64_t i = static_cast<std::int64_t>(prompt.size()); i < expected.numel(); ++i) {
    ASSERT_EQ(next.item<std::int64_t>(), expected[i].item<std::int64_t>()) << "token " << i;
    if (i + 1 < expected.numel()) next = decoder.step(next, {&slot, 1}).argmax(-1);
  }
}

// The packed kernel reading slots in place, in any order, against a forward pass without cache.
TEST_P(OnDevice, CachedEqualsUncachedInBFloat16) {
  const Golden golden(GetParam());
  const auto model = golden.load({.device = kGpu, .dtype = c10::kBFloat16});
  const at::NoGradGuard no_grad;
  Decoder decoder(*model, {.slots = 4, .capacity = 64});
  auto sequences = golden.sequences();
  const std::vector<int> slots = {3, 0, 2, 1};
  std::vector<Decoder::Prompt> prompts;
  for (std::size_t i = 0; i < 4; ++i) prompts.push_back({slots[i], sequences[i]});
  at::Tensor logits = decoder.prefill(prompts);
  for (int step = 0; step < 20; ++step) {
    const PackedBatch batch = PackedBatch::make(sequences, kGpu);
    const at::Tensor ends = batch.starts.narrow(0, 1, 4).to(at::kLong) - 1;
    const at::Tensor uncached = model->logits(model->hidden_states(batch).index_select(0, ends));
    ASSERT_LT(relative_error(logits, uncached), kBFloat16Tolerance) << "step " << step;
    std::vector<std::int64_t> tokens;
    for (std::size_t i = 0; i < 4; ++i) {
      sequences[i].push_back(static_cast<std::int32_t>((step * 7 + static_cast<int>(i) * 29) % 96));
      tokens.push_back(sequences[i].back());
    }
    logits = decoder.step(at::tensor(tokens).to(kGpu), slots);
  }
}

INSTANTIATE_TEST_SUITE_P(Goldens, OnDevice, testing::ValuesIn(Golden::names()),
                         [](const auto& golden) { return golden.param; });

}  // namespace
}  // namespace tritonrl::model
