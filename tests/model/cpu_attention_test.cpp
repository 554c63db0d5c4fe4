#include "model/cpu_attention.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "model/cpu_attention_widths.h"

namespace tritonrl::model {
namespace {

// Every set of loops that this processor can run.
std::vector<AttentionLoops> all_loops() {
  std::vector<AttentionLoops> all = {baseline_attention()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v3")) all.push_back(avx2_attention());
  if (__builtin_cpu_supports("x86-64-v4")) all.push_back(avx512_attention());
#endif
  return all;
}

void attend(const AttentionLoops& loops, const QueryRows& rows, const CachedStretch<float>& stretch) {
  loops.of_floats(rows, stretch);
}
void attend(const AttentionLoops& loops, const QueryRows& rows, const CachedStretch<BFloat16Bits>& stretch) {
  loops.of_bfloat16(rows, stretch);
}

float widened(float value) {
  return value;
}
float widened(BFloat16Bits value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
void narrow(float value, float& to) {
  to = value;
}
void narrow(float value, BFloat16Bits& to) {
  to.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

// Random keys, values and queries of one head, and attention over [begin, end) in double.
template <class Element>
struct Case {
  std::int64_t tokens, head_dim, rows;
  std::vector<Element> keys, values;
  std::vector<float> queries;

  Case(std::int64_t t, std::int64_t d, std::int64_t r, float spread) : tokens(t), head_dim(d), rows(r) {
    std::mt19937 engine(static_cast<unsigned>(t * 131 + d * 7 + r));
    std::normal_distribution<float> normal(0, 1);
    const std::int64_t padded = (t + kKeyBlock - 1) / kKeyBlock * kKeyBlock;
    // What lies beyond the last token must not matter, whatever it is.
    Element garbage;
    narrow(std::numeric_limits<float>::quiet_NaN(), garbage);
    keys.assign(static_cast<std::size_t>(padded * d), garbage);
    values.assign(static_cast<std::size_t>(padded * d), garbage);
    for (std::int64_t token = 0; token < t; ++token) {
      for (std::int64_t i = 0; i < d; ++i) {
        narrow(normal(engine), key(token, i));
        narrow(normal(engine), values[static_cast<std::size_t>(token * d + i)]);
      }
    }
    for (std::int64_t i = 0; i < r * d; ++i) queries.push_back(normal(engine) * spread);
  }

  Element& key(std::int64_t token, std::int64_t i) {
    return keys[static_cast<std::size_t>((token / kKeyBlock * head_dim + i) * kKeyBlock + token % kKeyBlock)];
  }

  std::vector<double> expected(std::int64_t row, std::int64_t begin, std::int64_t end) {
    std::vector<double> scores;
    double largest = -INFINITY;
    for (std::int64_t token = begin; token < end; ++token) {
      double score = 0;
      for (std::int64_t i = 0; i < head_dim; ++i) {
        score += static_cast<double>(queries[static_cast<std::size_t>(row * head_dim + i)]) * widened(key(token, i));
      }
      scores.push_back(score);
      largest = std::max(largest, score);
    }
    double total = 0;
    std::vector<double> result(static_cast<std::size_t>(head_dim), 0);
    for (std::int64_t token = begin; token < end; ++token) {
      const double weight = std::exp(scores[static_cast<std::size_t>(token - begin)] - largest);
      total += weight;
      for (std::int64_t i = 0; i < head_dim; ++i) {
        result[static_cast<std::size_t>(i)] += weight * widened(values[static_cast<std::size_t>(token * head_dim + i)]);
      }
    }
    for (double& x : result) x /= total;
    return result;
  }
};

template <class Element>
void expect_attention(const AttentionLoops& loops, std::int64_t tokens, std::int64_t head_dim, std::int64_t rows,
                      std::int64_t begin, float spread, double tolerance = 2e-5) {
  Case<Element> input(tokens, head_dim, rows, spread);
  std::vector<float> largest(static_cast<std::size_t>(rows), -INFINITY);
  std::vector<float> total(static_cast<std::size_t>(rows), 0);
  std::vector<float> sums(static_cast<std::size_t>(rows * head_dim), 0);
  const QueryRows state{rows, head_dim, input.queries.data(), largest.data(), total.data(), sums.data()};
  // Two stretches, cut anywhere, give the same as one.
  const std::int64_t cut = begin + (tokens - begin) / 3;
  attend(loops, state, CachedStretch<Element>{input.keys.data(), input.values.data(), begin, cut});
  attend(loops, state, CachedStretch<Element>{input.keys.data(), input.values.data(), cut, tokens});
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto expected = input.expected(row, begin, tokens);
    for (std::int64_t i = 0; i < head_dim; ++i) {
      ASSERT_NEAR(sums[static_cast<std::size_t>(row * head_dim + i)] / total[static_cast<std::size_t>(row)],
                  expected[static_cast<std::size_t>(i)], tolerance)
          << "tokens " << tokens << " head_dim " << head_dim << " row " << row << " of " << rows << " from " << begin;
    }
  }
}

TEST(CpuAttention, EqualsDoubleForAllLengthsAndRowCounts) {
  for (const AttentionLoops& loops : all_loops()) {
    for (const std::int64_t tokens : {1, 2, 15, 16, 17, 63, 64, 65, 100, 200}) {
      for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8}) {
        for (const std::int64_t begin : {0L, tokens / 2, tokens - 1}) {
          expect_attention<float>(loops, tokens, 32, rows, begin, 0.3F);
          expect_attention<BFloat16Bits>(loops, tokens, 64, rows, begin, 0.3F);
        }
      }
    }
  }
}

TEST(CpuAttention, LargeScoresDoNotOverflow) {
  // Scores near a thousand are themselves rounded to 6e-5 in float.
  for (const AttentionLoops& loops : all_loops()) {
    expect_attention<float>(loops, 100, 128, 4, 0, 30.0F, 5e-4);
    expect_attention<BFloat16Bits>(loops, 100, 16, 3, 0, 30.0F, 5e-4);
  }
}

}  // namespace
}  // namespace tritonrl::model
