#include "generate/sampler.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "generate/draws.h"
#include "generate/native_sampler.h"
#include "generate/tensor_sampler.h"
#include "tests/paths.h"

namespace tritonrl::generate {
namespace {

at::Tensor random_logits(std::int64_t rows, std::int64_t vocabulary, unsigned seed, float spread = 3,
                         int decimals = 9) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, spread);
  const float grid = std::pow(10.0f, static_cast<float>(decimals));
  at::Tensor out = at::empty({rows, vocabulary}, at::kFloat);
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    const float value = normal(random);
    out.data_ptr<float>()[i] = decimals < 9 ? std::round(value * grid) / grid : value;
  }
  return out;
}

at::Tensor seen_of(std::int64_t vocabulary, const std::vector<std::vector<std::int32_t>>& pasts) {
  at::Tensor seen = at::empty({static_cast<std::int64_t>(pasts.size()), vocabulary}, at::kBool);
  seen.zero_();
  for (std::size_t row = 0; row < pasts.size(); ++row) {
    for (const std::int32_t token : pasts[row]) seen.data_ptr<bool>()[row * vocabulary + token] = true;
  }
  return seen;
}

struct Golden {
  SamplingOptions options;
  at::Tensor logits;  // [1, vocabulary]
  std::vector<std::int32_t> past;
  std::vector<double> probabilities;
};

std::vector<Golden> goldens() {
  const std::string file = base::read_file(source_path("tests/generate/goldens/filtered_distributions.json"));
  std::vector<Golden> out;
  for (const base::Json& row : base::Json::parse(file)) {
    Golden golden;
    golden.options = {.temperature = row["temperature"].get<double>(),
                      .top_k = row["top_k"].get<int>(),
                      .top_p = row["top_p"].get<double>(),
                      .min_p = row["min_p"].get<double>(),
                      .repetition_penalty = row["repetition_penalty"].get<double>(),
                      .stop_strings = {},
                      .stop_tokens = {}};
    golden.logits = at::tensor(row["logits"].get<std::vector<float>>()).unsqueeze(0);
    golden.past = row["past"].get<std::vector<std::int32_t>>();
    golden.probabilities = row["probabilities"].get<std::vector<double>>();
    out.push_back(std::move(golden));
  }
  return out;
}

std::vector<std::int32_t> distinct(std::vector<std::int32_t> tokens) {
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

TEST(Sampler, LeavesWhatTransformersLeaves) {
  ASSERT_GE(goldens().size(), 20u);
  for (const Golden& golden : goldens()) {
    const std::int64_t vocabulary = golden.logits.size(1);
    const SamplingOptions* options = &golden.options;
    const TensorRows rows = TensorRows::make({&options, 1}, vocabulary, golden.logits.device());
    at::Tensor weights = filtered_weights(golden.logits, rows, seen_of(vocabulary, {golden.past})).to(at::kDouble);
    weights = weights.div(weights.sum());
    for (std::int64_t token = 0; token < vocabulary; ++token) {
      const double expected = golden.probabilities[token], got = weights.const_data_ptr<double>()[token];
      EXPECT_EQ(got == 0, expected == 0) << "token " << token << " of " << golden.logits;
      EXPECT_NEAR(got, expected, 1e-6);
    }
  }
}

TEST(Sampler, NativeDrawsWhatTransformersLeaves) {
  constexpr int kDraws = 20000;
  for (const Golden& golden : goldens()) {
    const std::vector<std::int32_t> past = distinct(golden.past);
    std::vector<NativeRow> rows;
    for (int i = 0; i < kDraws; ++i) rows.push_back({.options = &golden.options, .key = draw_key(3, i), .seen = past});
    const Sampled sampled = sample_natively(golden.logits.expand({kDraws, golden.logits.size(1)}), rows);
    std::vector<double> counts(golden.probabilities.size());
    for (int i = 0; i < kDraws; ++i) counts[sampled.tokens.const_data_ptr<std::int64_t>()[i]] += 1;
    for (std::size_t token = 0; token < counts.size(); ++token) {
      const double expected = golden.probabilities[token];
      EXPECT_NEAR(counts[token] / kDraws, expected, 5 * std::sqrt(expected * (1 - expected) / kDraws)) << token;
    }
  }
}

std::vector<SamplingOptions> many_options() {
  std::vector<SamplingOptions> out;
  for (const double temperature : {0.0, 0.5, 1.0, 1.6}) {
    for (const int top_k : {0, 1, 20, 100000}) {
      for (const double top_p : {1.0, 0.9, 0.2}) {
        for (const double min_p : {0.0, 0.05}) {
          for (const double penalty : {1.0, 1.2}) {
            SamplingOptions options;
            options.temperature = temperature;
            options.top_k = top_k;
            options.top_p = top_p;
            options.min_p = min_p;
            options.repetition_penalty = penalty;
            out.push_back(options);
          }
        }
      }
    }
  }
  return out;
}

// Both ways, every combination of options in one batch, many ties, vocabularies on both sides of a chunk.
TEST(Sampler, NativeAndTensorsAgree) {
  const std::vector<SamplingOptions> options = many_options();
  const auto rows = static_cast<std::int64_t>(options.size());
  for (const std::int64_t vocabulary : {3, 255, 256, 2049}) {
    for (const int decimals : {0, 1, 9}) {
      SamplerOptions native{.lanes = static_cast<int>(rows), .steps = 8, .vocabulary = vocabulary};
      SamplerOptions tensors = native;
      tensors.native = false;
      Sampler one(native), other(tensors);
      std::vector<int> lanes;
      std::vector<std::int32_t> prompt = {0, 2, 2, 1};
      for (int lane = 0; lane < rows; ++lane) {
        one.start(lane, options[lane], sample_seed(5, lane), prompt);
        other.start(lane, options[lane], sample_seed(5, lane), prompt);
        lanes.push_back(lane);
      }
      for (int step = 0; step < 3; ++step) {
        const at::Tensor logits = random_logits(rows, vocabulary, 100 * decimals + step, 4, decimals);
        const Sampled a = one.sample(logits, lanes), b = other.sample(logits, lanes);
        for (int lane = 0; lane < rows; ++lane) {
          ASSERT_EQ(a.tokens[lane].item<std::int64_t>(), b.tokens[lane].item<std::int64_t>())
              << "vocabulary " << vocabulary << " lane " << lane << " step " << step;
          ASSERT_NEAR(a.log_probabilities[lane].item<float>(), b.log_probabilities[lane].item<float>(), 1e-5);
        }
      }
    }
  }
}

// A lane alone chooses what it chooses among others.
TEST(Sampler, LanesDoNotKnowEachOther) {
  const std::vector<SamplingOptions> options = many_options();
  const auto rows = static_cast<std::int64_t>(options.size());
  for (const bool native : {true, false}) {
    const SamplerOptions setting{
        .lanes = static_cast<int>(rows), .steps = 8, .vocabulary = 300, .device = c10::kCPU, .native = native};
    Sampler together(setting), alone(setting);
    const at::Tensor first = random_logits(rows, 300, 1), second = random_logits(rows, 300, 2);
    std::vector<int> lanes;
    const std::vector<std::int32_t> prompt = {7, 8};
    for (int lane = 0; lane < rows; ++lane) {
      together.start(lane, options[lane], sample_seed(9, lane), prompt);
      lanes.push_back(lane);
    }
    together.sample(first, lanes);
    const at::Tensor expected = together.sample(second, lanes).tokens;
    for (int lane = static_cast<int>(rows) - 1; lane >= 0; --lane) {
      alone.start(0, options[lane], sample_seed(9, lane), prompt);
      const std::vector<int> zero = {0};
      alone.sample(first.narrow(0, lane, 1), zero);
      EXPECT_EQ(alone.sample(second.narrow(0, lane, 1), zero).tokens.item<std::int64_t>(),
                expected[lane].item<std::int64_t>());
    }
  }
}

// Pearson's test against the softmax, for draws of the real streams.
TEST(Sampler, FrequenciesFollowTheModel) {
  constexpr int kLanes = 512, kSteps = 100, kVocabulary = 20;
  const at::Tensor logits = random_logits(1, kVocabulary, 4, 1.5);
  const at::Tensor expected = logits.to(at::kDouble).softmax(1);
  for (const bool native : {true, false}) {
    Sampler sampler(
        {.lanes = kLanes, .steps = kSteps, .vocabulary = kVocabulary, .device = c10::kCPU, .native = native});
    std::vector<int> lanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      SamplingOptions options;
      sampler.start(lane, options, sample_seed(11, lane), {});
      lanes.push_back(lane);
    }
    std::vector<double> counts(kVocabulary);
    for (int step = 0; step < kSteps; ++step) {
      const at::Tensor tokens = sampler.sample(logits.expand({kLanes, kVocabulary}), lanes).tokens;
      for (int lane = 0; lane < kLanes; ++lane) counts[tokens.const_data_ptr<std::int64_t>()[lane]] += 1;
    }
    double chi_square = 0;
    for (int token = 0; token < kVocabulary; ++token) {
      const double mean = expected[0][token].item<double>() * kLanes * kSteps;
      chi_square += (counts[token] - mean) * (counts[token] - mean) / mean;
    }
    EXPECT_LT(chi_square, 43.8);  // 19 degrees of freedom: one in a thousand
    EXPECT_GT(chi_square, 4.9);   // too good is wrong too
  }
}

// Rare tokens of a large vocabulary come as often as they should, and logits that differ by rounding draw the same.
TEST(Sampler, LargeVocabulariesAreDrawnFairlyAndSteadily) {
  constexpr int kVocabulary = 50000, kDraws = 4000;
  const at::Tensor logits = random_logits(1, kVocabulary, 6, 2);
  const at::Tensor rounded = logits.add(random_logits(1, kVocabulary, 7, 1e-6f));
  const at::Tensor probabilities = logits.softmax(1);
  const SamplingOptions options;
  // Tokens by their probability's power of two: how many draws fell on each group.
  std::map<int, double> mass, counts;
  const auto group_of = [&](std::int64_t token) { return std::ilogb(probabilities.const_data_ptr<float>()[token]); };
  for (int token = 0; token < kVocabulary; ++token)
    mass[group_of(token)] += probabilities.const_data_ptr<float>()[token];
  int different = 0;
  for (int i = 0; i < kDraws; ++i) {
    const NativeRow row{.options = &options, .key = draw_key(2, i), .seen = {}};
    const std::int64_t token = sample_natively(logits, {&row, 1}).tokens.item<std::int64_t>();
    counts[group_of(token)] += 1;
    different += sample_natively(rounded, {&row, 1}).tokens.item<std::int64_t>() != token;
  }
  for (const auto& [group, expected] : mass)
    EXPECT_NEAR(counts[group] / kDraws, expected, 5 * std::sqrt(expected / kDraws)) << group;
  EXPECT_LE(different, 1);
}

TEST(Sampler, GreedyTakesTheFirstOfTheBest) {
  const at::Tensor logits = at::tensor({1.0f, 5.0f, -2.0f, 5.0f}).unsqueeze(0);
  SamplingOptions greedy;
  greedy.temperature = 0;
  for (const bool native : {true, false}) {
    Sampler sampler({.lanes = 1, .steps = 4, .vocabulary = 4, .device = c10::kCPU, .native = native});
    const std::vector<int> lanes = {0};
    sampler.start(0, greedy, 1, {});
    EXPECT_EQ(sampler.sample(logits, lanes).tokens.item<std::int64_t>(), 1);
    // The penalty makes the other one the best, then both are penalised and the first wins again.
    greedy.repetition_penalty = 2;
    const std::vector<std::int32_t> prompt = {1};
    sampler.start(0, greedy, 1, prompt);
    const Sampled second = sampler.sample(logits, lanes);
    EXPECT_EQ(second.tokens.item<std::int64_t>(), 3);
    EXPECT_NEAR(second.log_probabilities.item<float>(), std::log(1 / (2 + std::exp(-4.0) + std::exp(-7.0))), 1e-6);
    EXPECT_EQ(sampler.sample(logits, lanes).tokens.item<std::int64_t>(), 1);
    greedy.repetition_penalty = 1;
  }
}

// Where the softmax has no digits left the logarithm still has.
TEST(Sampler, LogProbabilitiesOfUnlikelyTokens) {
  const at::Tensor logits = at::tensor({100.0f, -100.0f, -3.0f}).unsqueeze(0);
  SamplingOptions options;
  options.temperature = 1000;  // all nearly alike
  const float expected[] = {0, -200, -103};
  std::set<std::int64_t> drawn;
  for (int i = 0; i < 50; ++i) {
    const NativeRow row{.options = &options, .key = draw_key(1, i), .seen = {}};
    const Sampled sampled = sample_natively(logits, {&row, 1});
    const std::int64_t token = sampled.tokens.item<std::int64_t>();
    EXPECT_NEAR(sampled.log_probabilities.item<float>(), expected[token], 1e-3);
    drawn.insert(token);
  }
  EXPECT_EQ(drawn.size(), 3u);
}

TEST(Sampler, WhatIsNoNumberShowsInTheLogProbability) {
  const at::Tensor logits = at::tensor({1.0f, std::nanf(""), 2.0f}).unsqueeze(0);
  for (const SamplingOptions& options : many_options()) {
    for (const bool native : {true, false}) {
      Sampler sampler({.lanes = 1, .steps = 1, .vocabulary = 3, .device = c10::kCPU, .native = native});
      sampler.start(0, options, 1, {});
      const std::vector<int> lanes = {0};
      const Sampled sampled = sampler.sample(logits, lanes);
      EXPECT_TRUE(std::isnan(sampled.log_probabilities.item<float>()));
      EXPECT_LT(sampled.tokens.item<std::int64_t>(), 3);
    }
  }
}

}  // namespace
}  // namespace tritonrl::generate
