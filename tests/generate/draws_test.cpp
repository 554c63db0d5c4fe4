#include "generate/tensor_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace tritonrl::generate {
namespace {

// Philox 4x32-10 of key 0 and counter 0 begins 6627e8d5 e169c58d bc57ac4c 9b00dbd8 (published test vector).
TEST(Draws, AreThePublishedGenerator) {
  EXPECT_EQ(draw_key(0, 0).offset, 0x6627e8d5u);
  EXPECT_EQ(draw_key(0, 0).multiplier, 0xe169c58du);
  EXPECT_EQ(draw_key(0, 1).offset, 0xbc57ac4cu);
  EXPECT_EQ(draw_key(0, 1).multiplier, 0x9b00dbd9u);  // made odd
}

TEST(Draws, SampleZeroHasTheRequestsSeed) {
  EXPECT_EQ(sample_seed(42, 0), 42u);
  std::set<std::uint64_t> seeds;
  for (std::uint64_t request = 0; request < 50; ++request) {
    for (int index = 0; index < 50; ++index) seeds.insert(sample_seed(request, index));
  }
  EXPECT_EQ(seeds.size(), 2500u);
}

TEST(Draws, TensorsHoldTheSame) {
  constexpr int kSteps = 40, kVocabulary = 3000;
  const at::Tensor keys = draw_keys(7, kSteps);
  const at::Tensor units = unit_draws(keys, kVocabulary);
  ASSERT_EQ(units.sizes(), (at::IntArrayRef{kSteps, kVocabulary}));
  for (int step = 0; step < kSteps; ++step) {
    const DrawKey key = draw_key(7, step);
    for (int token = 0; token < kVocabulary; ++token)
      ASSERT_EQ(units.const_data_ptr<float>()[step * kVocabulary + token], unit_draw(key, token));
  }
}

// Mean, variance and the correlation with neighbours in each direction, each within five standard errors.
TEST(Draws, AreUniformAndIndependent) {
  constexpr int kStreams = 50, kSteps = 60, kTokens = 100;
  double sum = 0, squares = 0, next_step = 0, next_stream = 0, next_token = 0;
  const auto centred = [](int stream, int step, int token) {
    return unit_draw(draw_key(sample_seed(1, stream), step), token) - 0.5;
  };
  for (int stream = 0; stream < kStreams; ++stream) {
    for (int step = 0; step < kSteps; ++step) {
      for (int token = 0; token < kTokens; ++token) {
        const double value = centred(stream, step, token);
        ASSERT_LE(std::abs(value), 0.5);
        sum += value;
        squares += value * value;
        next_step += value * centred(stream, step + 1, token);
        next_stream += value * centred(stream + 1, step, token);
        next_token += value * centred(stream, step, token + 1);
      }
    }
  }
  constexpr double n = 1.0 * kStreams * kSteps * kTokens;
  EXPECT_LT(std::abs(sum / n), 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_LT(std::abs(squares / n - 1.0 / 12), 5 * std::sqrt(1.0 / 180 / n));
  EXPECT_LT(std::abs(next_step / n), 5 * std::sqrt(1.0 / 144 / n));
  EXPECT_LT(std::abs(next_stream / n), 5 * std::sqrt(1.0 / 144 / n));
  EXPECT_LT(std::abs(next_token / n), 5 * std::sqrt(1.0 / 144 / n));
}

// Races are won near 0: there too every number comes as often as it should.
TEST(Draws, AreUniformNearZero) {
  constexpr int kSteps = 2000, kTokens = 20000;
  std::vector<double> counts(10);
  for (int step = 0; step < kSteps; ++step) {
    const DrawKey key = draw_key(3, step);
    for (int token = 0; token < kTokens; ++token) {
      const float unit = unit_draw(key, token);
      if (unit < 1e-4f) counts[static_cast<int>(unit * 1e5f)] += 1;
    }
  }
  double chi_square = 0;
  const double mean = 1e-5 * kSteps * kTokens;
  for (const double count : counts) chi_square += (count - mean) * (count - mean) / mean;
  EXPECT_LT(chi_square, 29.6);  // 10 degrees of freedom: one in a thousand
}

}  // namespace
}  // namespace tritonrl::generate
