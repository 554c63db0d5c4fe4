#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "machine/numbers/float_formats.h"
#include "machine/numbers/vector_dispatch.h"
#include "tests/machine/elementwise_call.h"

namespace tritonrl::machine {
namespace {

// In units of the last place of the float nearest to `want`; infinite for a NaN, an infinity or a zero's sign that is
// not as it should be.
double error_in_ulp(float got, double want) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want)) return std::isnan(got) ? 0 : kWrong;
  const float nearest = static_cast<float>(want);
  if (std::isinf(nearest) || want == 0) return got == nearest && std::signbit(got) == std::signbit(want) ? 0 : kWrong;
  int exponent = 0;
  std::frexp(want, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, -125) - 24);
  return std::isfinite(got) ? std::fabs(static_cast<double>(got) - want) / unit : kWrong;
}

using Function = double (*)(double);

struct Case {
  const char* name;
  Function exact;
  double tolerance;
};

const Case kCases[] = {
    {"math.exp", std::exp, 1.1},
    {"math.exp2", std::exp2, 1.3},
    {"math.log", std::log, 1.1},
    {"math.log2", std::log2, 1.6},
    {"math.tanh", std::tanh, 1.6},
    {"math.erf", std::erf, 1.8},
    {"math.sin", std::sin, 0.6},
    {"math.cos", std::cos, 0.6},
    {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1.5},
    {"math.sqrt", std::sqrt, 0.5},
    {"tt.precise_sqrt", std::sqrt, 0.5},
    {"math.tan", std::tan, 0.51},
    {"math.asin", std::asin, 0.51},
    {"math.acos", std::acos, 0.51},
    {"math.atan", std::atan, 0.51},
    {"math.sinh", std::sinh, 0.51},
    {"math.cosh", std::cosh, 0.51},
    {"math.asinh", std::asinh, 0.51},
    {"math.acosh", std::acosh, 0.51},
    {"math.atanh", std::atanh, 0.51},
    {"math.log1p", std::log1p, 0.51},
    {"math.log10", std::log10, 0.51},
    {"math.expm1", std::expm1, 0.51},
    {"math.erfc", std::erfc, 0.51},
    {"math.cbrt", std::cbrt, 0.51},
    {"math.ceil", std::ceil, 0},
    {"math.floor", std::floor, 0},
    {"math.trunc", std::trunc, 0},
    {"math.round", std::round, 0},
    {"math.roundeven", std::rint, 0},
    {"math.absf", std::fabs, 0},
    {"arith.negf", [](double x) { return -x; }, 0},
};

// Bit patterns of all floats, evenly: every exponent, both signs, subnormals, infinities and NaNs; and around them.
std::vector<float> sample(std::uint64_t stride) {
  std::vector<float> result = {0.0f,
                               -0.0f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::min(),
                               std::numeric_limits<float>::max(),
                               1.0f,
                               88.722839f,
                               88.72284f,
                               -103.97208f,
                               -103.97207f,
                               128.0f,
                               -149.0f,
                               -150.0f,
                               -149.99999f,
                               2.5f,
                               0.49999997f,
                               8388609.0f};
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += stride) {
    result.push_back(bits_as<float>(static_cast<std::uint32_t>(bits)));
  }
  return result;
}

TEST(ElementwiseMath, FloatsAreAccurate) {
  const std::vector<float> x = sample(6007);
  for (const Case& test : kCases) {
    const Elements got = run({test.name}, {elements(Scalar::kF32, x)}, Scalar::kF32);
    ASSERT_FALSE(got.bytes.empty()) << test.name;
    double worst = 0;
    float where = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = error_in_ulp(got.at<float>(static_cast<std::int64_t>(i)), test.exact(x[i]));
      if (error > worst) worst = error, where = x[i];
    }
    EXPECT_LE(worst, test.tolerance) << test.name << " at " << where;
  }
}

// Where kernels live: every float of a stretch, so that no interval of a polynomial is missed.
TEST(ElementwiseMath, EveryFloatOfAStretchIsAccurate) {
  for (const float from : {0.25f, 0.6f, 1.1f, 3.9f, 9.0f, 80.0f}) {
    std::vector<float> x;
    const std::uint32_t first = bits_as<std::uint32_t>(from);
    for (std::uint32_t i = 0; i < 300'000; ++i) x.push_back(bits_as<float>(first + i));
    const std::size_t count = x.size();
    for (std::size_t i = 0; i < count; ++i) x.push_back(-x[i]);
    for (const Case& test : std::span(kCases).first(9)) {
      const Elements got = run({test.name}, {elements(Scalar::kF32, x)}, Scalar::kF32);
      double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, error_in_ulp(got.at<float>(static_cast<std::int64_t>(i)), test.exact(x[i])));
      }
      EXPECT_LE(worst, test.tolerance) << test.name << " from " << from;
    }
  }
}

// Every half and bfloat16: the float result, rounded. Off by one at most where the float's own error meets a midpoint.
TEST(ElementwiseMath, NarrowFloatsAreRoundedFloats) {
  std::vector<std::uint16_t> codes(65536);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  for (const Scalar scalar : {Scalar::kF16, Scalar::kBF16}) {
    for (const Case& test : kCases) {
      const Elements got = run({test.name}, {elements(scalar, codes)}, scalar);
      ASSERT_FALSE(got.bytes.empty()) << test.name;
      int off = 0;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const double exact = test.exact(to_double(scalar, codes[i]));
        const std::uint16_t code = got.at<std::uint16_t>(static_cast<std::int64_t>(i));
        if (std::isnan(exact)) {
          ASSERT_TRUE(std::isnan(to_double(scalar, code))) << test.name << " " << codes[i];
          continue;
        }
        const int difference = std::abs(code - static_cast<int>(from_double(scalar, exact)));
        ASSERT_LE(difference, 1) << test.name << " " << to_string(scalar) << " " << codes[i];
        off += difference;
      }
      EXPECT_LE(off, 100) << test.name << " " << to_string(scalar);
    }
  }
}

TEST(ElementwiseMath, DoublesAreTheLibrarys) {
  std::vector<double> x;
  for (double v = -20; v < 20; v += 0.0371) x.push_back(v);
  for (const Case& test : kCases) {
    const Elements got = run({test.name}, {elements(Scalar::kF64, x)}, Scalar::kF64);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = test.exact(x[i]), value = got.at<double>(static_cast<std::int64_t>(i));
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(value)) << test.name;
      } else {
        EXPECT_DOUBLE_EQ(value, want) << test.name << " " << x[i];
      }
    }
  }
}

TEST(ElementwiseMath, TwoOperands) {
  const Elements x = elements(Scalar::kF32, std::vector<float>{2, -8, 0.5f, 0}),
                 y = elements(Scalar::kF32, std::vector<float>{10, 2, -1, 0});
  const Elements n = elements(Scalar::kI32, std::vector<std::int32_t>{10, 3, -2, 0});
  const Elements power = run({"math.powf"}, {x, y}, Scalar::kF32);
  const Elements integer_power = run({"math.fpowi"}, {x, n}, Scalar::kF32);
  const Elements angle = run({"math.atan2"}, {x, y}, Scalar::kF32);
  const float powers[] = {1024, 64, 2, 1}, integer_powers[] = {1024, -512, 4, 1};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(power.at<float>(i), powers[i]);
    EXPECT_EQ(integer_power.at<float>(i), integer_powers[i]);
    EXPECT_FLOAT_EQ(angle.at<float>(i), std::atan2(x.at<float>(i), y.at<float>(i)));
  }
}

// A verdict must not depend on the machine's vectors.
TEST(ElementwiseMath, AllVectorWidthsGiveTheSameBits) {
  const std::vector<float> x = sample(100'003);
  std::vector<float> y(x.rbegin(), x.rend());
  for (const Scalar scalar : {Scalar::kF32, Scalar::kBF16}) {
    const Elements a{scalar, elements(Scalar::kF32, x).bytes}, b{scalar, elements(Scalar::kF32, y).bytes};
    const auto check = [&](const Call& call, const std::vector<Elements>& in, Scalar out) {
      limit_vector_width(VectorWidth::kBaseline);
      const Elements narrow = run(call, in, out);
      for (const VectorWidth width : {VectorWidth::kAvx2, VectorWidth::kAvx512}) {
        limit_vector_width(width);
        const Elements wide = run(call, in, out);
        ASSERT_EQ(narrow.bytes.size(), wide.bytes.size());
        for (std::int64_t i = 0; i < narrow.count(); ++i) {
          const auto size = static_cast<std::size_t>(size_of(out));
          const auto at = [&](const Elements& e) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, e.bytes.data() + static_cast<std::size_t>(i) * size, size);
            return bits;
          };
          if (is_float(out) && std::isnan(to_double(out, at(narrow)))) {
            ASSERT_TRUE(std::isnan(to_double(out, at(wide)))) << call.name << " " << i;
          } else {
            ASSERT_EQ(at(narrow), at(wide)) << call.name << " " << i;
          }
        }
      }
    };
    for (const Case& test : kCases) check({test.name}, {a}, scalar);
    for (const char* name :
         {"arith.addf", "arith.mulf", "arith.divf", "arith.maxnumf", "arith.minimumf", "math.powf"}) {
      check({name}, {a, b}, scalar);
    }
    check({"math.fma"}, {a, b, a}, scalar);
    for (const Scalar out : {Scalar::kF16, Scalar::kF8E4M3, Scalar::kF8E5M2}) check({"tt.fp_to_fp"}, {a}, out);
    for (const Scalar out : {Scalar::kI1, Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kI64}) {
      check({"arith.fptosi"}, {a}, out);
      check({"arith.fptoui"}, {a}, out);
    }
  }
  limit_vector_width(VectorWidth::kAvx512);
}

}  // namespace
}  // namespace tritonrl::machine
