#include "judge/regimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/elements.h"

namespace tritonrl::judge {
namespace {

using program::DType;

runner::TensorData floats(const std::vector<float>& values, std::vector<std::int64_t> sizes) {
  return {DType::kFloat32, std::move(sizes),
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float))};
}

std::vector<double> values_of(runner::TensorData data, const std::string& bytes) {
  data.bytes = bytes;
  const Elements elements(data);
  std::vector<double> out(elements.count());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = elements[i];
  return out;
}

runner::TensorData between_one_and_two(DType dtype = DType::kFloat32) {
  std::vector<float> values(64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + static_cast<float>((i * 37) % 64) / 64;
  runner::TensorData out = floats(values, {8, 8});
  out.dtype = dtype;
  if (dtype == DType::kComplex64) out.sizes = {8, 4};
  return out;
}

TEST(Regimes, WideReachesAHundredThousandAndGoesTamerStepByStep) {
  const runner::TensorData data = between_one_and_two();
  double before = 1e9;
  for (const Manner& manner : manners_of("wide", 1)) {
    if (manner.values != Manner::Values::kRegime) continue;
    const std::vector<double> wide = values_of(data, in_regime(data, "wide", 1, manner, 7));
    const auto [least, most] = std::minmax_element(wide.begin(), wide.end());
    const double largest = std::max(-*least, *most);
    EXPECT_LE(largest, before + 1);
    before = largest;
    EXPECT_EQ(*least > 0, manner.own_sign) << "numbers above zero stay there only where others have no result";
    if (manner.level == 0) {
      EXPECT_NEAR(largest, 1e5, 1);
    }
  }
  EXPECT_EQ(manners_of("wide", 1).back().values, Manner::Values::kOwn);
  EXPECT_EQ(in_regime(data, "wide", 1, manners_of("wide", 1).back(), 7), data.bytes);
}

TEST(Regimes, RangesStayWhereTheyAre) {
  const runner::TensorData data = between_one_and_two();
  const std::vector<double> other = values_of(data, in_regime(data, "wide", 0, {.values = Manner::Values::kRange}, 7));
  EXPECT_GE(*std::min_element(other.begin(), other.end()), 1);
  EXPECT_LE(*std::max_element(other.begin(), other.end()), 2);
  EXPECT_GT(std::count_if(other.begin(), other.end(), [](double one) { return one < 1.01 || one > 1.97; }), 8);
}

TEST(Regimes, MasksThatAreAddedAreClosedElsewhereAndInNoRowAll) {
  const float closed = -std::numeric_limits<float>::infinity();
  std::vector<float> values(256, 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 16 > i / 16 ? closed : 0;
  const runner::TensorData data = floats(values, {16, 16});
  const std::vector<double> bold = values_of(data, in_regime(data, "uneven", 2, {}, 7));
  const std::vector<double> careful = values_of(data, in_regime(data, "uneven", 2, {.careful = true}, 7));
  bool other = false;
  for (std::size_t row = 0; row < 16; ++row) {
    const auto begin = bold.begin() + static_cast<std::ptrdiff_t>(16 * row);
    EXPECT_GT(std::count(begin, begin + 16, 0.0), 0);
    for (std::size_t i = 16 * row; i < 16 * (row + 1); ++i) {
      EXPECT_TRUE(bold[i] == 0 || bold[i] == closed);
      other = other || (bold[i] == 0 && values[i] != 0);
      if (values[i] == 0) {
        EXPECT_EQ(careful[i], 0) << "what was open stays open";
      }
    }
  }
  EXPECT_TRUE(other);
  EXPECT_EQ(in_regime(data, "wide", 1, {}, 7), data.bytes);
}

TEST(Regimes, ComplexNumbersHaveBothPartsVaried) {
  const runner::TensorData data = between_one_and_two(DType::kComplex64);
  const std::vector<double> before = values_of(data, data.bytes);
  const std::vector<double> wide = values_of(data, in_regime(data, "wide", 1, {}, 7));
  double real = 0, imaginary = 0;
  for (std::size_t i = 0; i < wide.size(); i += 2) {
    real = std::max(real, std::abs(wide[i] - before[i]));
    imaginary = std::max(imaginary, std::abs(wide[i + 1] - before[i + 1]));
  }
  EXPECT_GT(real, 1e4);
  EXPECT_GT(imaginary, 1e4);
}

}  // namespace
}  // namespace tritonrl::judge
