#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "machine/numbers/float_formats.h"
#include "tests/machine/elementwise_call.h"

namespace tritonrl::machine {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint16_t> random_codes(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint16_t> result;
  for (int i = 0; i < count; ++i) result.push_back(static_cast<std::uint16_t>(random()));
  return result;
}

bool is_nan(Scalar scalar, std::uint16_t code) {
  return std::isnan(to_double(scalar, code));
}

// Sums and products of narrow floats are exact in a double; quotients and roots of doubles are never a hair beside a
// narrow midpoint. So one rounding of the double is the right answer.
TEST(ElementwiseFloat, NarrowArithmeticIsRoundedOnce) {
  using Function = double (*)(double, double);
  const std::pair<const char*, Function> operations[] = {
      {"arith.addf", [](double a, double b) { return a + b; }},
      {"arith.subf", [](double a, double b) { return a - b; }},
      {"arith.mulf", [](double a, double b) { return a * b; }},
      {"arith.divf", [](double a, double b) { return a / b; }},
      {"tt.precise_divf", [](double a, double b) { return a / b; }},
      {"arith.remf", [](double a, double b) { return std::fmod(a, b); }},
  };
  for (const Scalar scalar : {Scalar::kF16, Scalar::kBF16}) {
    const auto a = random_codes(200'000, 1), b = random_codes(200'000, 2);
    for (const auto& [name, function] : operations) {
      const Elements got = run({name}, {elements(scalar, a), elements(scalar, b)}, scalar);
      ASSERT_FALSE(got.bytes.empty()) << name;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double exact = function(to_double(scalar, a[i]), to_double(scalar, b[i]));
        const std::uint16_t code = got.at<std::uint16_t>(static_cast<std::int64_t>(i));
        if (std::isnan(exact)) {
          ASSERT_TRUE(is_nan(scalar, code));
          continue;
        }
        // A bfloat16 sum may need more bits than a double has; then the double is rounded too, but never onto a
        // midpoint that the sum is not on, because the smaller operand is less than 2^-37 of the other.
        ASSERT_EQ(code, from_double(scalar, exact)) << name << " " << to_string(scalar) << " " << a[i] << " " << b[i];
      }
    }
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    const Elements roots = run({"math.sqrt"}, {elements(scalar, all)}, scalar);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double exact = std::sqrt(to_double(scalar, all[i]));
      const std::uint16_t code = roots.at<std::uint16_t>(static_cast<std::int64_t>(i));
      if (std::isnan(exact)) {
        ASSERT_TRUE(is_nan(scalar, code));
      } else {
        ASSERT_EQ(code, from_double(scalar, exact));
      }
    }
  }
}

// The exact a·b + c as a double whose last bit tells whether anything was cut off: from the processor's own rounding
// towards zero and its flag.
double sticky_fma(double a, double b, double c) {
  volatile double x = a, y = b, z = c;
  std::fesetround(FE_TOWARDZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile double sum = std::fma(x, y, z);
  const bool inexact = std::fetestexcept(FE_INEXACT) != 0;
  std::fesetround(FE_TONEAREST);
  const double result = sum;
  if (!inexact || std::isinf(result)) return result;
  return bits_as<double>(bits_as<std::uint64_t>(result) | 1);
}

TEST(ElementwiseFloat, FusedMultiplyAddIsRoundedOnce) {
  for (const Scalar scalar : {Scalar::kF16, Scalar::kBF16}) {
    auto a = random_codes(300'000, 3), b = random_codes(300'000, 4), c = random_codes(300'000, 5);
    for (std::size_t i = 0; i < a.size(); i += 2) {  // as many where the sum cancels or nearly does
      const double product = to_double(scalar, a[i]) * to_double(scalar, b[i]);
      c[i] = static_cast<std::uint16_t>(from_double(scalar, -product));
    }
    // A midpoint in bfloat16, and then something far too small for a double to hold beside it.
    a.push_back(0x3f81), b.push_back(0x3f80 | 0x40), c.push_back(0x0001);
    a.push_back(0x3f81), b.push_back(0x3f80 | 0x40), c.push_back(0x8001);
    const Elements got = run({"math.fma"}, {elements(scalar, a), elements(scalar, b), elements(scalar, c)}, scalar);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double exact = sticky_fma(to_double(scalar, a[i]), to_double(scalar, b[i]), to_double(scalar, c[i]));
      const std::uint16_t code = got.at<std::uint16_t>(static_cast<std::int64_t>(i));
      if (std::isnan(exact)) {
        ASSERT_TRUE(is_nan(scalar, code));
      } else if (exact != 0) {
        ASSERT_EQ(code, from_double(scalar, exact)) << to_string(scalar) << " " << a[i] << " " << b[i] << " " << c[i];
      }
    }
  }
}

TEST(ElementwiseFloat, FusedMultiplyAddOfFloatsIsTheLibrarys) {
  std::mt19937 random(6);
  std::vector<float> a, b, c;
  for (int i = 0; i < 500'000; ++i) {
    a.push_back(bits_as<float>(static_cast<std::uint32_t>(random())));
    b.push_back(bits_as<float>(static_cast<std::uint32_t>(random())));
    c.push_back(i % 2 == 0 ? -a.back() * b.back() : bits_as<float>(static_cast<std::uint32_t>(random())));
    if (i % 3 == 0) a.back() = 1.0f + static_cast<float>(random() % 4096) / 4096, b.back() = 1.0f / a.back();
  }
  const Scalar f = Scalar::kF32;
  const Elements got = run({"math.fma"}, {elements(f, a), elements(f, b), elements(f, c)}, f);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float want = std::fma(a[i], b[i], c[i]), result = got.at<float>(static_cast<std::int64_t>(i));
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(result));
    } else {
      ASSERT_EQ(bits_as<std::uint32_t>(result), bits_as<std::uint32_t>(want)) << a[i] << " " << b[i] << " " << c[i];
    }
  }
}

struct PickCase {
  const char* name;
  float a, b, want;
};

TEST(ElementwiseFloat, PicksAsPtxDoes) {
  const PickCase cases[] = {
      {"arith.maxnumf", 1, 2, 2},
      {"arith.maxnumf", kNan, 2, 2},
      {"arith.maxnumf", 1, kNan, 1},
      {"arith.maxnumf", kNan, kNan, kNan},
      {"arith.maxnumf", -0.0f, 0.0f, 0.0f},
      {"arith.maxnumf", 0.0f, -0.0f, 0.0f},
      {"arith.minnumf", 1, 2, 1},
      {"arith.minnumf", kNan, 2, 2},
      {"arith.minnumf", 1, kNan, 1},
      {"arith.minnumf", -0.0f, 0.0f, -0.0f},
      {"arith.minnumf", 0.0f, -0.0f, -0.0f},
      {"arith.maximumf", 1, 2, 2},
      {"arith.maximumf", kNan, 2, kNan},
      {"arith.maximumf", 1, kNan, kNan},
      {"arith.maximumf", -0.0f, 0.0f, 0.0f},
      {"arith.maximumf", -kInf, kInf, kInf},
      {"arith.minimumf", 1, 2, 1},
      {"arith.minimumf", kNan, 2, kNan},
      {"arith.minimumf", 1, kNan, kNan},
      {"arith.minimumf", 0.0f, -0.0f, -0.0f},
      {"math.copysign", 3, -0.0f, -3},
      {"math.copysign", -kInf, 1, kInf},
  };
  for (const Scalar scalar : {Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64}) {
    for (const PickCase& test : cases) {
      const auto operand = [&](double value) {
        Elements result{scalar, std::vector<unsigned char>(static_cast<std::size_t>(size_of(scalar)))};
        const std::uint64_t bits = from_double(scalar, value);
        std::memcpy(result.bytes.data(), &bits, result.bytes.size());
        return result;
      };
      const Elements got = run({test.name}, {operand(test.a), operand(test.b)}, scalar);
      std::uint64_t bits = 0;
      std::memcpy(&bits, got.bytes.data(), got.bytes.size());
      const double value = to_double(scalar, bits);
      if (std::isnan(test.want)) {
        EXPECT_TRUE(std::isnan(value)) << test.name << " " << test.a << " " << test.b;
      } else {
        EXPECT_EQ(value, test.want) << test.name << " " << test.a << " " << test.b;
        EXPECT_EQ(std::signbit(value), std::signbit(test.want)) << test.name << " " << test.a << " " << test.b;
      }
    }
  }
}

TEST(ElementwiseFloat, ClampsAndKeepsNanIfAsked) {
  const Scalar f = Scalar::kF32;
  const Elements x = elements(f, std::vector<float>{-3, 0.5f, 7, kNan}), low = elements(f, std::vector<float>(4, -1)),
                 high = elements(f, std::vector<float>(4, 2));
  const Elements plain = run({"tt.clampf", {{"propagateNan", std::string("none")}}}, {x, low, high}, f);
  const Elements strict = run({"tt.clampf", {{"propagateNan", std::string("all")}}}, {x, low, high}, f);
  const float want[] = {-1, 0.5f, 2};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(plain.at<float>(i), want[i]);
    EXPECT_EQ(strict.at<float>(i), want[i]);
  }
  EXPECT_EQ(plain.at<float>(3), -1.0f);
  EXPECT_TRUE(std::isnan(strict.at<float>(3)));
  // Between -c and c the GPU's clamp makes c of a NaN (seen on an H200).
  const Elements even =
      run({"tt.clampf", {{"propagateNan", std::string("none")}}}, {x, elements(f, std::vector<float>(4, -2)), high}, f);
  EXPECT_EQ(even.at<float>(3), 2.0f);
}

TEST(ElementwiseFloat, TheResultMayBeAnOperand) {
  std::vector<float> a(1000), b(1000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i), b[i] = 1000.0f * static_cast<float>(i);
  const ElementwiseOp op = find({"arith.addf"}, {Scalar::kF32, Scalar::kF32}, Scalar::kF32);
  const void* in[] = {a.data(), b.data()};
  op.run(b.data(), in, 1000);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(b[i], 1001.0f * static_cast<float>(i));
}

}  // namespace
}  // namespace tritonrl::machine
