// The comparison that runs on a GPU, on tensors of this process: its operators are the same.
#include "runner/device/device_compare.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <limits>

namespace tritonrl::runner {
namespace {

constexpr double kTolerance = 1e-4;

OutputComparison compare(const at::Tensor& expected, const at::Tensor& got,
                         const std::optional<at::Tensor>& truth = std::nullopt) {
  return compare_on_device(expected, got, kTolerance, kTolerance, truth);
}

TEST(DeviceCompare, TellsTheFirstWrongElement) {
  const at::Tensor expected = at::arange(12).to(at::kFloat).reshape({3, 4});
  EXPECT_EQ(compare(expected, expected.clone()).wrong, 0);
  at::Tensor got = expected.clone();
  got.select(0, 1).select(0, 2).add_(0.5);
  got.select(0, 2).select(0, 0).add_(1);
  const OutputComparison result = compare(expected, got);
  EXPECT_EQ(result.wrong, 2);
  EXPECT_EQ(result.first, 6);
  EXPECT_DOUBLE_EQ(result.expected, 6);
  EXPECT_DOUBLE_EQ(result.got, 6.5);
  EXPECT_DOUBLE_EQ(result.max_error, 1);
}

TEST(DeviceCompare, NanAndInfinityMustBeWhereTheyAre) {
  at::Tensor expected = at::randn({100});
  expected.select(0, 3).fill_(std::numeric_limits<double>::quiet_NaN());
  expected.select(0, 4).fill_(std::numeric_limits<double>::infinity());
  EXPECT_EQ(compare(expected, expected.clone()).wrong, 0);
  at::Tensor finite = expected.clone();
  finite.select(0, 3).fill_(0);
  finite.select(0, 4).fill_(1e30);
  EXPECT_EQ(compare(expected, finite).wrong, 2);
  EXPECT_EQ(compare(finite, expected).wrong, 2);
}

TEST(DeviceCompare, StridesTypesAndIntegers) {
  const at::Tensor expected = at::randn({8, 16});
  EXPECT_EQ(compare(expected.t(), expected.t().contiguous()).wrong, 0);
  EXPECT_EQ(compare(expected, expected.to(at::kDouble)).wrong, 0);
  EXPECT_GT(compare(expected, expected.to(at::kHalf)).wrong, 0);
  const at::Tensor integers = at::arange(10);
  EXPECT_EQ(compare_on_device(integers, integers + 1, 0, 0, std::nullopt).wrong, 10);
}

// An estimate that is off by one in a hundred, of outputs that are all smaller than the absolute tolerance.
TEST(DeviceCompare, SmallOutputsAreHeldAgainstTheirOwnSize) {
  const at::Tensor truth = at::randn({10000}).to(at::kDouble).abs() * 1e-5, expected = truth.to(at::kFloat);
  const auto compared = [&](const at::Tensor& got, bool known) {
    const auto make_truth = [&] { return known ? std::optional(truth) : std::nullopt; };
    return compare_fairly(expected, got, kTolerance, kTolerance, false, make_truth).wrong;
  };
  EXPECT_EQ(compared(expected * 1.00001, true), 0);
  EXPECT_GT(compared(expected * 1.01, true), 0);
  EXPECT_EQ(compared(expected * 1.01, false), 0);  // nothing tells how exact the reference is
}

// Sums that cancel: most outputs are large, some are near zero with the same absolute error.
TEST(DeviceCompare, ErrorsOfLongSumsAreHeldAgainstATypicalOutput) {
  const at::Tensor truth = at::randn({10000}).to(at::kDouble) * 60;
  const at::Tensor expected = truth.to(at::kFloat);
  const at::Tensor got = (truth + 1.5e-3).to(at::kFloat);
  EXPECT_GT(compare(expected, got).wrong, 0);
  EXPECT_EQ(compare(expected, got, truth).wrong, 0);
  EXPECT_GT(compare(expected, (truth + 0.05).to(at::kFloat), truth).wrong, 0);
}

// Sums of 2,048 products of positive numbers: matrix units drop bits, which does not cancel out as rounding would.
TEST(DeviceCompare, ProductsMayRoundTheirOperandsWhereTheyAreAllowedTo) {
  const at::Tensor a = at::rand({32, 2048}), b = at::rand({2048, 32});
  const auto cut = [](const at::Tensor& one, int bits) {
    at::Tensor out = one.clone();
    out.view(at::kInt).bitwise_and_(~((1 << bits) - 1));
    return out;
  };
  constexpr int kTf32 = 13, kBFloat16 = 16;
  const at::Tensor truth = a.to(at::kDouble).mm(b.to(at::kDouble)), expected = truth.to(at::kFloat);
  const auto wrong = [&](const at::Tensor& got, bool allowed) {
    const MakeTensor make_truth = [&] { return std::optional(truth); };
    const MakeTensor make_coarse = [&] { return std::optional(cut(a, kTf32).mm(cut(b, kTf32))); };
    return compare_fairly(expected, got, kTolerance, kTolerance, false, make_truth,
                          allowed ? make_coarse : MakeTensor())
        .wrong;
  };
  const at::Tensor in_tf32 = cut(a, kTf32).mm(cut(b, kTf32)) * (1 + 1e-6);
  EXPECT_GT(wrong(in_tf32, false), 0);
  EXPECT_EQ(wrong(in_tf32, true), 0);
  EXPECT_GT(wrong(cut(a, kBFloat16).mm(cut(b, kBFloat16)), true), 0);
  at::Tensor one_row = in_tf32.clone();
  one_row.select(0, 5).mul_(1.01);
  EXPECT_EQ(wrong(one_row, true), 32);
}

TEST(DeviceCompare, AFewLargeOutputsExcuseNoOthers) {
  at::Tensor truth = at::full({1000}, 1.0).to(at::kDouble);
  truth.narrow(0, 0, 20).fill_(1e7);
  const at::Tensor expected = truth.to(at::kFloat);
  at::Tensor got = expected.clone();
  got.narrow(0, 500, 10).add_(0.01);
  EXPECT_EQ(compare(expected, got, truth).wrong, 10);
}

}  // namespace
}  // namespace tritonrl::runner
