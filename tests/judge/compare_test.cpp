#include "judge/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tritonrl::judge {
namespace {

using program::DType;
using runner::TensorData;

template <class T>
TensorData tensor(DType dtype, const std::vector<T>& values) {
  return {dtype,
          {static_cast<std::int64_t>(values.size())},
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
}

TensorData floats(const std::vector<float>& values) {
  return tensor(DType::kFloat32, values);
}

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

// The truth of one comparison.
Truth knowing(const std::vector<runner::TensorData>& exact) {
  static std::vector<runner::TensorData> kept;
  kept = exact;
  return {.exact = &kept, .coarse = nullptr};
}

TEST(Compare, AllowsWhatTheTypeAllows) {
  EXPECT_TRUE(compare({floats({1, 1000})}, {floats({1.0001f, 1000.09f})}).equal);
  EXPECT_FALSE(compare({floats({1})}, {floats({1.0003f})}).equal);
  EXPECT_TRUE(
      compare({tensor<std::uint16_t>(DType::kFloat16, {0x3c00})}, {tensor<std::uint16_t>(DType::kFloat16, {0x3c08})})
          .equal);
  EXPECT_FALSE(compare({tensor<std::int64_t>(DType::kInt64, {5})}, {tensor<std::int64_t>(DType::kInt64, {6})}).equal);
  EXPECT_TRUE(compare({tensor<std::int8_t>(DType::kInt8, {-5})}, {tensor<std::int8_t>(DType::kInt8, {-5})}).equal);
}

TEST(Compare, NansAndInfinitiesMustBeInTheSamePlaces) {
  EXPECT_TRUE(compare({floats({kNan, kInf, -kInf})}, {floats({kNan, kInf, -kInf})}).equal);
  EXPECT_FALSE(compare({floats({kNan})}, {floats({0})}).equal);
  EXPECT_FALSE(compare({floats({0})}, {floats({kNan})}).equal);
  EXPECT_FALSE(compare({floats({kInf})}, {floats({-kInf})}).equal);
  EXPECT_FALSE(compare({floats({kInf})}, {floats({1e30f})}).equal);
}

TEST(Compare, SaysWhatDiffers) {
  const Comparison values = compare({floats({1, 2, 3})}, {floats({1, 2.5f, 9})});
  EXPECT_EQ(values.message, "output 0[1]: expected 2, got 2.5");
  EXPECT_DOUBLE_EQ(values.max_error, 6);
  EXPECT_NE(compare({floats({1})}, {floats({1, 2})}).message.find("expected [1], got [2]"), std::string::npos);
  EXPECT_NE(compare({floats({1})}, {}).message.find("number of output tensors: expected 1, got 0"), std::string::npos);
}

TEST(Compare, AnotherFloatTypeIsComparedByValueAndNoted) {
  const Comparison comparison = compare({floats({1.5f})}, {tensor<std::uint16_t>(DType::kFloat16, {0x3e00})});
  EXPECT_TRUE(comparison.equal);
  EXPECT_EQ(comparison.other_dtype, "output 0 is float16, the reference's is float32");
}

TEST(Compare, WhatAgreesWithTheOracleIsRight) {
  const auto exact = tensor<double>(DType::kFloat64, {1.0005});
  EXPECT_FALSE(compare({floats({1})}, {floats({1.0005f})}).equal);
  EXPECT_TRUE(compare({floats({1})}, {floats({1.0005f})}, knowing({exact})).equal);
}

TEST(Compare, ZerosDoNotPassForSmallNumbers) {
  const auto expected = floats({4e-6f, 3e-6f}), zeros = floats({0, 0});
  const auto exact = tensor<double>(DType::kFloat64, {4e-6, 3e-6});
  EXPECT_TRUE(compare({expected}, {zeros}).equal) << "the named tolerance alone";
  EXPECT_FALSE(compare({expected}, {zeros}, knowing({exact})).equal);
  // noise around zero: the reference is no better itself
  EXPECT_TRUE(compare({floats({1e-9f})}, {floats({0})}, knowing({tensor<double>(DType::kFloat64, {0})})).equal);
}

TEST(Compare, WhatCancelsIsNoise) {
  EXPECT_TRUE(compare({floats({0})}, {floats({-7.6e-9f})}, knowing({tensor<double>(DType::kFloat64, {0})})).equal);
  EXPECT_FALSE(compare({floats({0})}, {floats({-7.6e-7f})}, knowing({tensor<double>(DType::kFloat64, {0})})).equal);
}

TEST(Compare, ATaskThatMagnifiesRoundingMagnifiesTheCandidatesToo) {
  const auto exact = tensor<double>(DType::kFloat64, {1, 2, 3, 4, 5});
  const auto expected = floats({1.001f, 2.001f, 3.001f, 4.001f, 5.001f});
  EXPECT_TRUE(compare({expected}, {floats({0.99f, 2.01f, 2.99f, 4.01f, 5.01f})}, knowing({exact})).equal);
  EXPECT_FALSE(compare({expected}, {floats({0.9f, 2.01f, 2.99f, 4.01f, 5.01f})}, knowing({exact})).equal);
  // One element behind a jump excuses itself alone.
  const auto jump = floats({1.5f, 2, 3, 4, 5});
  EXPECT_TRUE(compare({jump}, {floats({1, 2, 3, 4, 5})}, knowing({exact})).equal);
  EXPECT_FALSE(compare({jump}, {floats({1.5f, 2.5f, 3, 4, 5})}, knowing({exact})).equal);
}

TEST(Compare, ALongSumMayBeAddedUpInAnyOrderHoweverExactTheReferenceIs) {
  const auto exact = tensor<double>(DType::kFloat64, {80, -75, 1e-3, 70, 90});
  const auto expected = floats({80, -75, 1e-3f, 70, 90});
  EXPECT_TRUE(compare({expected}, {floats({80, -75, 2e-3f, 70, 90})}, knowing({exact})).equal);
  EXPECT_FALSE(compare({expected}, {floats({80, -75, 3e-3f, 70, 90})}, knowing({exact})).equal);
  // the typical output counts, not the largest
  EXPECT_FALSE(compare({floats({1000, 1, 0, 1, 1})}, {floats({1000, 1, 1.5e-4f, 1, 1})},
                       knowing({tensor<double>(DType::kFloat64, {1000, 1, 0, 1, 1})}))
                   .equal);
}

// A sum that is zero but for rounding: the reference has none by luck. And rows of which one is nothing but rounding.
TEST(Compare, RoundingMayCarryAsFarAsItDoesInTheReference) {
  const std::vector<TensorData> zero = {floats({0})}, exact = {tensor<double>(DType::kFloat64, {1e-15})},
                                noisy = {floats({3e-6f})};
  const Truth known{.exact = &exact, .noisy = &noisy};
  EXPECT_FALSE(compare(zero, {floats({9e-7f})}, {.exact = &exact}).equal);
  EXPECT_TRUE(compare(zero, {floats({9e-7f})}, known).equal);
  EXPECT_FALSE(compare(zero, {floats({9e-5f})}, known).equal);

  std::vector<float> want(64, 0.25f), shaken(64, 0.25f), got(64, 0.25f);
  for (std::size_t i = 32; i < 64; ++i) {
    shaken[i] += i % 2 == 0 ? 0.1f : -0.1f;
    got[i] += 0.05f;
  }
  const auto rows = [](const std::vector<float>& values) {
    TensorData out = floats(values);
    out.sizes = {2, 32};
    return std::vector<TensorData>{out};
  };
  const std::vector<TensorData> rounded = rows(shaken);
  EXPECT_TRUE(compare(rows(want), rows(got), {.noisy = &rounded}).equal);
  got[3] += 0.05f;
  EXPECT_FALSE(compare(rows(want), rows(got), {.noisy = &rounded}).equal) << "rows of their own";
  // whole numbers that are rounded down: half of them fall behind a jump, which excuses no other
  std::vector<float> jumped = want, wrong = want;
  for (std::size_t i = 0; i < 32; i += 2) jumped[i] -= 1;
  wrong[6] = 0.3f;
  const std::vector<TensorData> behind = rows(jumped);
  EXPECT_FALSE(compare(rows(want), rows(wrong), {.noisy = &behind}).equal);
}

TEST(Compare, AnotherTypeMayBeRounded) {
  const auto expected = floats({100, 1}), rounded = floats({100, 1.9f}), wrong = floats({100, 5});
  EXPECT_FALSE(compare({expected}, {rounded}).equal);
  EXPECT_TRUE(compare({expected}, {rounded}, {}, {.other_type = true}).equal);
  EXPECT_FALSE(compare({expected}, {wrong}, {}, {.other_type = true}).equal);
  const auto index = tensor<std::int64_t>(DType::kInt64, {5}), tie = tensor<std::int64_t>(DType::kInt64, {6});
  EXPECT_TRUE(compare({index}, {tie}, {}, {.other_type = true}).equal);
}

TEST(Compare, AnotherTypeMayBeAsWrongAsTheReferenceIsAnywhere) {
  const auto expected = floats({100, 1, 1, 1, 1, 1, 1, 1}), got = floats({100, 1, 1, 1, 1, 1, 1, 5});
  const CompareOptions other{.other_type = true};
  const auto exact = [](double first) { return tensor<double>(DType::kFloat64, {first, 1, 1, 1, 1, 1, 1, 1}); };
  EXPECT_FALSE(compare({expected}, {got}, knowing({exact(100)}), other).equal);
  EXPECT_TRUE(compare({expected}, {got}, knowing({exact(99)}), other).equal);
}

TEST(Compare, ShortRowsErrAsTheirNeighboursDo) {
  // two rows of two, of which the reference has met the first by luck
  const auto rows = [](TensorData data) {
    data.sizes = {2, 2};
    return data;
  };
  const TensorData expected = rows(floats({1, 2, 100, 201}));
  const auto got = [&](float value) { return rows(floats({1, value, 100, 201})); };
  const auto exact = [&](double last) { return rows(tensor<double>(DType::kFloat64, {1, 2, 100, last})); };
  const CompareOptions by_row{.by_row = true};
  EXPECT_FALSE(compare({expected}, {got(2.004F)}, knowing({exact(201)}), by_row).equal);
  EXPECT_TRUE(compare({expected}, {got(2.004F)}, knowing({exact(201.1)}), by_row).equal);
  EXPECT_FALSE(compare({expected}, {got(2.5F)}, knowing({exact(150)}), by_row).equal) << "within bounds";
}

TEST(Compare, HoldsDoublesToTheirOwnPrecision) {
  const TensorData doubles = tensor<double>(DType::kFloat64, {1.0 / 3, -7.0});
  EXPECT_TRUE(compare({doubles}, {tensor<double>(DType::kFloat64, {1.0 / 3 + 1e-11, -7.0})}, knowing({doubles})).equal);
  const std::vector<double> single = {static_cast<double>(1.0F / 3), -7.0}, twice = {1.0 / 3 + 2e-7, -7.0};
  EXPECT_TRUE(compare({doubles}, {tensor(DType::kFloat64, single)}, knowing({doubles})).equal)
      << "a number that a kernel was passed";
  EXPECT_FALSE(compare({doubles}, {tensor(DType::kFloat64, twice)}, knowing({doubles})).equal);
  // a reference that computes in single precision itself asks for no more
  EXPECT_TRUE(compare({tensor(DType::kFloat64, single)}, {tensor<double>(DType::kFloat64, {1.0 / 3 + 3e-8, -7.0})},
                      knowing({doubles}))
                  .equal);
}

TEST(Compare, CoarseProductsExcuseTheirOwnRowAlone) {
  constexpr int kRow = 64;
  std::vector<float> exact(2 * kRow, 100), coarse = exact, got = exact;
  for (int i = 0; i < kRow; ++i) coarse[i] += i % 2 == 0 ? 1 : -1;  // the first row errs by one
  TensorData truth = floats(exact), rounded = floats(coarse);
  truth.sizes = rounded.sizes = {2, kRow};
  const std::vector<TensorData> exacts = {truth}, coarses = {rounded};
  const auto judged = [&](int at, float error) {
    TensorData out = truth;
    std::vector<float> values = got;
    values[static_cast<std::size_t>(at)] += error;
    out.bytes = floats(values).bytes;
    return compare({truth}, {out}, {.exact = &exacts, .coarse = &coarses}).equal;
  };
  EXPECT_TRUE(judged(3, 2));
  EXPECT_FALSE(judged(3, 20));
  EXPECT_FALSE(judged(kRow + 3, 2));
}

TEST(Compare, WholeNumbersOfRegimesCountWhereRoundingDoesNotDecide) {
  const auto whole = [](const std::vector<std::int64_t>& values) { return tensor(DType::kInt64, values); };
  const auto judged = [&](const TensorData& got, WholeOutput kind) {
    return compare({whole({4, 9, 100})}, {got}, knowing({whole({4, 8, 100})}), {.by_row = true, .whole = {kind}}).equal;
  };
  EXPECT_TRUE(judged(whole({4, 3, 100}), WholeOutput::kChosen)) << "the exact result is another one there";
  EXPECT_FALSE(judged(whole({5, 9, 100}), WholeOutput::kChosen));
  EXPECT_TRUE(judged(whole({5, 9, 99}), WholeOutput::kRounded));
  EXPECT_FALSE(judged(whole({4, 9, 90}), WholeOutput::kRounded));
  EXPECT_TRUE(judged(whole({0, 0, 0}), WholeOutput::kUnknown));
}

}  // namespace
}  // namespace tritonrl::judge
