#include "machine/numbers/float_formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tritonrl::machine {
namespace {

// A slow description of a format, from the definition of its bits.
struct Description {
  const char* name;
  Scalar scalar;
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity;  // exponent all ones: infinities and NaNs
  bool saturates;
  std::uint32_t nan;   // what NaN becomes
  std::uint32_t last;  // the largest finite code
  bool no_negative_zero;
};

constexpr Description kDescriptions[] = {
    {"f16", Scalar::kF16, 5, 10, 15, true, false, 0x7fff, 0x7bff, false},
    {"bf16", Scalar::kBF16, 8, 7, 127, true, false, 0x7fff, 0x7f7f, false},
    {"e4m3", Scalar::kF8E4M3, 4, 3, 7, false, true, 0x7f, 0x7e, false},
    {"e5m2", Scalar::kF8E5M2, 5, 2, 15, true, true, 0x7f, 0x7b, false},
    {"e4m3fnuz", Scalar::kF8E4M3FNUZ, 4, 3, 8, false, true, 0x80, 0x7f, true},
    {"e5m2fnuz", Scalar::kF8E5M2FNUZ, 5, 2, 16, false, true, 0x80, 0x7f, true},
};

class FloatFormats : public testing::TestWithParam<Description> {
 protected:
  int bits() const { return 1 + GetParam().exponent_bits + GetParam().mantissa_bits; }
  std::uint32_t sign() const { return 1u << (bits() - 1); }

  double value(std::uint32_t magnitude) const {
    const Description& d = GetParam();
    const int exponent = static_cast<int>(magnitude >> d.mantissa_bits);
    const double mantissa = magnitude & ((1u << d.mantissa_bits) - 1);
    if (exponent == 0) return std::ldexp(mantissa, 1 - d.bias - d.mantissa_bits);
    return std::ldexp(mantissa + std::ldexp(1.0, d.mantissa_bits), exponent - d.bias - d.mantissa_bits);
  }

  double widened(std::uint32_t code) const {
    const Description& d = GetParam();
    const std::uint32_t magnitude = code & ~sign();
    if (d.no_negative_zero && code == d.nan) return std::numeric_limits<double>::quiet_NaN();
    double result = magnitude <= d.last ? value(magnitude) : std::numeric_limits<double>::quiet_NaN();
    if (d.has_infinity && magnitude == d.last + 1) result = std::numeric_limits<double>::infinity();
    return (code & sign()) != 0 ? -result : result;
  }

  std::uint32_t with_sign(std::uint32_t magnitude, double x) const {
    if (!std::signbit(x) || (GetParam().no_negative_zero && magnitude == 0)) return magnitude;
    return magnitude | sign();
  }

  // Nearest by comparing with the two neighbours; overflow as if the exponent had no end.
  std::uint32_t nearest(double x) const {
    const Description& d = GetParam();
    if (std::isnan(x)) return d.nan;
    const double a = std::fabs(x);
    std::uint32_t low = 0;
    for (std::uint32_t step = sign(); step != 0; step >>= 1) {
      if (low + step <= d.last && value(low + step) <= a) low += step;
    }
    std::uint32_t code = low;
    const double below = a - value(low), above = value(low + 1) - a;  // exact in double for what is asked here
    if (above < below || (above == below && (low & 1) != 0)) ++code;
    if (code > d.last) code = d.saturates ? d.last : d.last + 1;
    return with_sign(code, x);
  }

  std::uint32_t truncated(double x) const {
    const Description& d = GetParam();
    if (std::isnan(x)) return d.nan;
    if (std::isinf(x) && d.has_infinity) return with_sign(d.last + 1, x);
    std::uint32_t low = 0;
    for (std::uint32_t step = sign(); step != 0; step >>= 1) {
      if (low + step <= d.last && value(low + step) <= std::fabs(x)) low += step;
    }
    return with_sign(low, x);
  }

  std::uint32_t narrow(float x) const { return dispatch<Rounding::kNearestEven>(x); }
  std::uint32_t narrow_toward_zero(float x) const { return dispatch<Rounding::kTowardZero>(x); }

  // Floats where something can go wrong: around every code and every midpoint between codes.
  std::vector<float> corners() const {
    std::vector<float> result = {0.0f,
                                 std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::denorm_min(),
                                 std::numeric_limits<float>::min(),
                                 std::numeric_limits<float>::max()};
    for (std::uint32_t code = 0; code <= GetParam().last; ++code) {
      for (const double middle : {value(code), (value(code) + value(code + 1)) / 2}) {
        const float x = static_cast<float>(middle);
        for (const float near : {x, std::nextafter(x, 0.0f), std::nextafter(x, 1e38f)}) result.push_back(near);
      }
    }
    const std::size_t count = result.size();
    for (std::size_t i = 0; i < count; ++i) result.push_back(-result[i]);
    return result;
  }

 private:
  template <Rounding R>
  std::uint32_t dispatch(float x) const {
    switch (GetParam().scalar) {
      case Scalar::kF16:
        return Half::narrow<R>(x);
      case Scalar::kBF16:
        return BFloat16::narrow<R>(x);
      case Scalar::kF8E4M3:
        return F8E4M3::narrow<R>(x);
      case Scalar::kF8E5M2:
        return F8E5M2::narrow<R>(x);
      case Scalar::kF8E4M3FNUZ:
        return F8E4M3Fnuz::narrow<R>(x);
      default:
        return F8E5M2Fnuz::narrow<R>(x);
    }
  }
};

TEST_P(FloatFormats, WidensEveryCode) {
  for (std::uint32_t code = 0; code < 2 * sign(); ++code) {
    const double got = to_double(GetParam().scalar, code), want = widened(code);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << code;
    } else {
      EXPECT_EQ(got, want) << code;
      EXPECT_EQ(std::signbit(got), std::signbit(want)) << code;
    }
  }
}

TEST_P(FloatFormats, EveryCodeComesBack) {
  for (std::uint32_t code = 0; code < 2 * sign(); ++code) {
    const double x = widened(code);
    if (std::isnan(x) || std::isinf(x)) continue;
    EXPECT_EQ(narrow(static_cast<float>(x)), code);
    EXPECT_EQ(narrow_toward_zero(static_cast<float>(x)), code);
    EXPECT_EQ(from_double(GetParam().scalar, x), code);
  }
}

TEST_P(FloatFormats, RoundsAtEveryBoundary) {
  for (const float x : corners()) {
    ASSERT_EQ(narrow(x), nearest(x)) << x;
    ASSERT_EQ(narrow_toward_zero(x), truncated(x)) << x;
  }
}

TEST_P(FloatFormats, RoundsASampleOfAllFloats) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 7919) {
    const float x = bits_as<float>(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(narrow(x), nearest(x)) << x;
    ASSERT_EQ(narrow_toward_zero(x), truncated(x)) << x;
  }
}

TEST_P(FloatFormats, DoublesAreRoundedOnce) {
  // A hair beside a midpoint: rounding to float first would put it on the midpoint.
  for (std::uint32_t code = 0; code < GetParam().last; ++code) {
    const double middle = (value(code) + value(code + 1)) / 2;
    for (const double x : {middle, middle * (1 + 1e-14), middle * (1 - 1e-14)}) {
      const std::uint32_t up = x > middle || (x == middle && (code & 1) != 0) ? 1 : 0;
      ASSERT_EQ(from_double(GetParam().scalar, x), code + up) << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatFormats, testing::ValuesIn(kDescriptions),
                         [](const auto& test) { return std::string(test.param.name); });

// Against the steps of Triton's own conversion: clamp a half to 1.75, double its bits, add half a unit, take the upper
// byte.
TEST(Fp8E4B15, FollowsTritonsSteps) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    if ((code & 0x7fff) > 0x7c00) continue;  // NaN's sign is not kept
    const std::uint32_t half = std::min(code & 0x7fff, 0x3f00u);
    const std::uint32_t want = (code & 0x8000) >> 8 | (2 * half + 0x80) >> 8;
    ASSERT_EQ(F8E4M3B15::narrow<>(Half::widen(static_cast<std::uint16_t>(code))), want) << code;
  }
  for (std::uint32_t code = 0; code < 256; ++code) {
    const double magnitude = to_double(Scalar::kF16, (code & 0x7f) << 7);
    EXPECT_EQ(to_double(Scalar::kF8E4M3B15, code), (code & 0x80) != 0 ? -magnitude : magnitude);
  }
}

TEST(RoundingToOdd, KeepsWhatASecondRoundingNeeds) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const double x = bits_as<double>(random());
    if (std::isnan(x)) continue;
    const float odd = to_odd_float(x);
    if (static_cast<double>(odd) == x) continue;
    EXPECT_EQ(bits_as<std::uint32_t>(odd) & 1, 1u) << x;
    if (std::fabs(x) < 3e38) {  // within one unit of the exact number
      EXPECT_LT(std::nextafter(odd, -INFINITY), x);
      EXPECT_GT(std::nextafter(odd, INFINITY), x);
    }
  }
}

}  // namespace
}  // namespace tritonrl::machine
