#include "judge/rules/launch_nature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

namespace tritonrl::judge {
namespace {

using Values = std::vector<float>;

std::string bytes_of(const Values& values) {
  std::string out(values.size() * sizeof(float), '\0');
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// A launch that reads x and writes all of y, as running it alone on one fill shows it.
runner::RunOutcome alone(const std::function<float(const Values& x, std::size_t i)>& kernel, int seed, float scale) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<float> normal;
  Values x(64), before(64), after(64);
  for (float& value : x) value = scale * normal(random);
  for (float& value : before) value = scale * normal(random);
  for (std::size_t i = 0; i < after.size(); ++i) after[i] = kernel(x, i);
  runner::RunOutcome out;
  const auto storage = [&](const char* name, const Values& a, const Values& b, char written) {
    runner::AloneStorage one;
    one.storage = static_cast<int>(out.alone.size());
    one.argument = name;
    one.before = bytes_of(a);
    one.after = bytes_of(b);
    one.written.assign(one.after.size(), written);
    out.alone.push_back(one);
  };
  storage("x", x, x, 0);
  storage("y", before, after, 1);
  return out;
}

LaunchNature nature(const std::function<float(const Values& x, std::size_t i)>& kernel) {
  return nature_of({alone(kernel, 1, 1), alone(kernel, 2, 100), alone(kernel, 3, std::nanf(""))});
}

TEST(LaunchNature, TellsCopiesFromWork) {
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return x[i]; }), LaunchNature::kCopies);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return x[i] + 1 - 1; }), LaunchNature::kCopies);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return x[63 - i]; }), LaunchNature::kRearranges);
  EXPECT_EQ(nature([](const Values&, std::size_t) { return 3.F; }), LaunchNature::kConstant);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return std::max(x[i], 0.F); }), LaunchNature::kComputes);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return 2 * x[i]; }), LaunchNature::kScales);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return -x[i]; }), LaunchNature::kScales);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return 1.00012F * x[i]; }), LaunchNature::kCopies);
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return x[i] * std::abs(x[0]); }), LaunchNature::kComputes);
}

// Rows of logarithms: one negative number makes all of them NaN.
TEST(LaunchNature, WhatIsNeverANumberTellsNothing) {
  const auto centred = [](const Values& x, std::size_t i) {
    float sum = 0;
    for (const float value : x) sum += std::log(value);
    return std::log(x[i]) - sum / 64;
  };
  EXPECT_EQ(nature(centred), LaunchNature::kComputes);
  EXPECT_EQ(nature([](const Values&, std::size_t) { return std::nanf(""); }), LaunchNature::kComputes);
}

TEST(LaunchNature, PickingByValueIsWork) {
  // every stored value is a loaded one, from places that depend on the data
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return std::max(x[i], x[63 - i]); }), LaunchNature::kComputes);
}

TEST(LaunchNature, WhatRandomDataSaturatesIsNotConstant) {
  EXPECT_EQ(nature([](const Values& x, std::size_t i) { return std::isnan(x[i]) ? x[i] : std::min(x[i] * x[i], 0.F); }),
            LaunchNature::kComputes);
}

TEST(LaunchNature, AnIntegerOperandMayDecide) {
  auto constant = [](const Values&, std::size_t) { return 3.F; };
  runner::RunOutcome first = alone(constant, 1, 1), second = alone(constant, 2, 100);
  runner::AloneStorage index;
  index.dtype = program::DType::kInt64;
  index.before = index.after = std::string(64, '\1');
  index.written.assign(64, 0);
  first.alone.push_back(index);
  second.alone.push_back(index);
  EXPECT_EQ(nature_of({first, second}), LaunchNature::kComputes);
}

// On the draws themselves a factor may be another each time: torch makes it, and divides by it.
TEST(LaunchNature, OneFactorOnEachDrawIsAScale) {
  const auto on_draws = [](const std::function<float(const Values& x, std::size_t i)>& kernel) {
    return nature_on_draws({alone(kernel, 1, 1), alone(kernel, 2, 100), alone(kernel, 3, 0.25F)});
  };
  EXPECT_EQ(on_draws([](const Values& x, std::size_t i) { return x[i] * (1 + std::abs(x[0])); }),
            LaunchNature::kScales);
  EXPECT_EQ(on_draws([](const Values& x, std::size_t i) { return x[i]; }), LaunchNature::kCopies);
  EXPECT_EQ(on_draws([](const Values& x, std::size_t i) { return x[i] * std::abs(x[i]); }), LaunchNature::kComputes);
}

// A sum is some factor times the first element.
TEST(LaunchNature, FewNumbersAreNoScale) {
  const auto sum = [](int seed) {
    runner::RunOutcome out = alone([](const Values& x, std::size_t) { return x[0] + x[1] + x[2]; }, seed, 1);
    out.alone[1].written.assign(out.alone[1].written.size(), 0);
    for (std::size_t i = 0; i < sizeof(float); ++i) out.alone[1].written[i] = 1;
    return out;
  };
  EXPECT_EQ(nature_on_draws({sum(1), sum(2), sum(3)}), LaunchNature::kComputes);
}

TEST(LaunchNature, WhatDidNotRunIsNotJudged) {
  auto copy = [](const Values& x, std::size_t i) { return x[i]; };
  runner::RunOutcome first = alone(copy, 1, 1), second = alone(copy, 2, 100);
  second.kind = runner::RunOutcome::Kind::kFault;
  EXPECT_EQ(nature_of({first, second}), LaunchNature::kComputes);
}

}  // namespace
}  // namespace tritonrl::judge
