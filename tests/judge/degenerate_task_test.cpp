#include "judge/degenerate_task.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tritonrl::judge {
namespace {

runner::TensorData tensor(const std::vector<float>& values) {
  runner::TensorData out;
  out.sizes = {static_cast<std::int64_t>(values.size())};
  out.bytes.resize(values.size() * sizeof(float));
  std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

// Two calls of each of two variations with one seed, and one with another.
SizedTask answers(const std::vector<float>& original, const std::vector<float>& second,
                  const std::vector<float>& scaled, const std::vector<float>& other_seed) {
  const auto draw = [](const char* variation, std::uint64_t seed, std::vector<std::vector<float>> calls) {
    Draw out;
    out.variation = variation;
    out.seed = seed;
    for (const std::vector<float>& call : calls) out.expected.push_back({tensor(call)});
    return out;
  };
  SizedTask out;
  out.draws = {draw("original", 1, {original, second}), draw("scaled", 1, {scaled}), draw("seed", 2, {other_seed})};
  return out;
}

TEST(ConstantAnswer, IsOneNumberEverywhere) {
  EXPECT_EQ(constant_answer(answers({1, 1}, {1, 1}, {1, 1}, {1, 1})),
            "the reference's answer is the same whatever the inputs: 1");
}

TEST(ConstantAnswer, MayBeAParameter) {
  EXPECT_EQ(constant_answer(answers({3, 4}, {3, 4}, {3, 4}, {5, 6})),
            "the reference's answer is the same whatever the inputs");
}

TEST(ConstantAnswer, DependsOnInputsIfAnyCallOrDrawDiffers) {
  EXPECT_EQ(constant_answer(answers({3, 4}, {3, 5}, {3, 4}, {5, 6})), "");
  EXPECT_EQ(constant_answer(answers({3, 4}, {3, 4}, {6, 8}, {5, 6})), "");
}

TEST(ConstantAnswer, WantsTwoDrawsOfTheSameParameters) {
  SizedTask task = answers({3, 4}, {3, 4}, {3, 4}, {5, 6});
  task.draws.erase(task.draws.begin() + 1);
  EXPECT_EQ(constant_answer(task), "");
}

}  // namespace
}  // namespace tritonrl::judge
