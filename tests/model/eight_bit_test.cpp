#include "model/eight_bit.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "model/adapter.h"
#include "model/loss.h"
#include "tests/model/golden.h"

namespace tritonrl::model {
namespace {

TEST(EightBit, RowsKeepTheirLargestWeightAndHalfAStepOfError) {
  const at::Tensor weight = at::randn({50, 70}) * at::randn({50, 1}).exp();
  const EightBitMatrix matrix = quantise(weight);
  EXPECT_EQ(matrix.integers.scalar_type(), at::kChar);
  EXPECT_EQ(matrix.integers.abs().amax(1).min().item<int>(), 127);
  const at::Tensor error = (matrix.dequantised(at::kFloat) - weight).abs();
  EXPECT_LE((error / matrix.scale.unsqueeze(1)).max().item<double>(), 0.5 + 1e-4);
}

TEST(EightBit, ARowOfZerosStaysZero) {
  EXPECT_EQ(quantise(at::zeros({2, 8})).dequantised(at::kFloat).abs().max().item<double>(), 0);
}

TEST(EightBit, ProductAndGradientAreThoseOfTheDequantisedMatrix) {
  const EightBitMatrix matrix = quantise(at::randn({24, 32}));
  for (const std::int64_t rows : {1, 3, 8, 9, 40}) {
    const at::Tensor x = at::randn({rows, 32}).set_requires_grad(true);
    const at::Tensor upstream = at::randn({rows, 24});
    const at::Tensor y = eight_bit_product(x, matrix);
    EXPECT_LT(relative_error(y, at::matmul(x.detach(), matrix.dequantised(at::kFloat).t())), 1e-5) << rows;
    (y * upstream).sum().backward();
    EXPECT_LT(relative_error(x.grad(), at::matmul(upstream, matrix.dequantised(at::kFloat))), 1e-5) << rows;
  }
}

// A model whose weights are exactly those that its 8-bit form stands for gives the same logits and LoRA gradients.
class EightBitBase : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Goldens, EightBitBase, testing::Values("qwen2_untied", "qwen3_tied"),
                         [](const auto& golden) { return golden.param; });

TEST_P(EightBitBase, LoraGradientsAreThoseOnItsDequantisedWeights) {
  const Golden golden(GetParam());
  const auto eight = golden.load({.dtype = c10::kFloat, .eight_bit = true});
  const auto plain = golden.load();
  {
    const at::NoGradGuard no_grad;
    auto from = eight->layers().begin();
    for (Layer& layer : plain->layers()) {
      const auto linears = from->linears();
      for (std::size_t i = 0; i < 4; ++i) {
        for (const Linear::Part& part : linears[i]->parts()) {
          layer.linears()[i]
              ->weight()
              .narrow(0, part.first_row, part.rows)
              .copy_(linears[i]->merged_weight(part, c10::kFloat));
        }
      }
      ++from;
    }
  }
  const PackedBatch batch = golden.batch();
  const at::Tensor targets = next_labels(golden.expected("labels"), batch);
  for (Transformer* model : {eight.get(), plain.get()}) {
    load_adapter(*model, golden.adapter_folder(), {.trainable = true});
    cross_entropy(model->logits(model->hidden_states(batch)), targets).backward();
  }
  const auto expected = adapter_parameters(*plain);
  const auto got = adapter_parameters(*eight);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_LT(relative_error(got[i].tensor.grad(), expected[i].tensor.grad()), kFloatTolerance) << got[i].name;
  }
}

TEST(EightBit, LogitsStayCloseAndWeightsTakeAByteEach) {
  const Golden golden("llama_untied");
  const auto model = golden.load({.dtype = c10::kFloat, .eight_bit = true});
  const at::NoGradGuard no_grad;
  const double error = relative_error(model->logits(model->hidden_states(golden.batch())), golden.expected("logits"));
  std::cout << "8-bit relative error of logits " << error << "\n";
  EXPECT_LT(error, 0.05);
  EXPECT_GT(error, 1e-6);
  for (const Linear* linear : model->layers()[0].linears()) {
    EXPECT_TRUE(linear->eight_bit());
    EXPECT_FALSE(linear->weight().defined());
  }
}

TEST(EightBit, CannotBeTrainedWhole) {
  EXPECT_THROW(small_random_model(1, {.eight_bit = true, .trainable = true}), base::UserError);
}

}  // namespace
}  // namespace tritonrl::model
