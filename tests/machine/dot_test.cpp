#include "machine/arithmetic/dot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "machine/arithmetic/dot_operand.h"
#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Bytes = std::vector<std::byte>;

bool is_int(Scalar scalar) {
  return scalar == Scalar::kI8 || scalar == Scalar::kI32;
}

double get(const Bytes& bytes, Scalar scalar, std::int64_t i) {
  const std::byte* at = bytes.data() + i * size_of(scalar);
  if (scalar == Scalar::kI8) return static_cast<std::int8_t>(*at);
  if (scalar == Scalar::kI32) {
    std::int32_t value;
    std::memcpy(&value, at, 4);
    return value;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(size_of(scalar)));
  return to_double(scalar, bits);
}

void put(Bytes& bytes, Scalar scalar, std::int64_t i, double value) {
  const std::uint64_t bits =
      is_int(scalar) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : from_double(scalar, value);
  std::memcpy(bytes.data() + i * size_of(scalar), &bits, static_cast<std::size_t>(size_of(scalar)));
}

Bytes random_values(Scalar scalar, std::int64_t count, std::mt19937& random) {
  Bytes out(static_cast<std::size_t>(count * size_of(scalar)));
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> byte(-128, 127);
  for (std::int64_t i = 0; i < count; ++i) put(out, scalar, i, is_int(scalar) ? byte(random) : normal(random));
  return out;
}

struct Case {
  Dot dot;
  Bytes a, b, c;
};

Case random_case(const Dot& dot, unsigned seed) {
  std::mt19937 random(seed);
  Case out{.dot = dot, .a = {}, .b = {}, .c = {}};
  out.a = random_values(dot.a, dot.batch * dot.m * dot.k, random);
  out.b = random_values(dot.b, dot.batch * dot.k * dot.n, random);
  out.c = random_values(dot.accumulator, dot.batch * dot.m * dot.n, random);
  return out;
}

// Exactly as large as promised, so that the address sanitizer sees what goes beyond it.
Bytes run(const Case& test, bool in_place = false) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(scratch_bytes(test.dot), 1));
  const auto free_aligned = [](std::byte* p) { ::operator delete[](p, std::align_val_t{64}); };
  const std::unique_ptr<std::byte[], decltype(free_aligned)> scratch(
      static_cast<std::byte*>(::operator new[](size, std::align_val_t{64})), free_aligned);
  Bytes d = in_place ? test.c : Bytes(test.c.size());
  run_dot(test.dot, test.a.data(), test.b.data(), in_place ? d.data() : test.c.data(), d.data(), scratch.get());
  return d;
}

// What the operands count as: their values, or for tf32 what is left of them.
std::vector<double> operands(const Bytes& bytes, Scalar scalar, DotPrecision precision) {
  std::vector<double> out(bytes.size() / static_cast<std::size_t>(size_of(scalar)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = get(bytes, scalar, static_cast<std::int64_t>(i));
    if (scalar == Scalar::kF32 && precision == DotPrecision::kTf32) out[i] = to_tf32(static_cast<float>(out[i]));
  }
  return out;
}

// Relative to the sum of the products' sizes.
double tolerance(const Dot& dot) {
  if (dot.accumulator == Scalar::kI32) return 0;
  if (dot.accumulator == Scalar::kF64) return 1e-14;
  if (dot.accumulator == Scalar::kF16) return 0x1p-11 + 1e-6;
  switch (dot.precision) {
    case DotPrecision::kBf16x3:
      return dot.a == Scalar::kF32 ? 0x1p-15 : 1e-6;
    case DotPrecision::kTf32x3:
      return dot.a == Scalar::kF32 ? 0x1p-19 : 1e-6;
    default:
      return 1e-6;
  }
}

void expect_right(const Case& test, const Bytes& d) {
  const Dot& dot = test.dot;
  const std::vector<double> a = operands(test.a, dot.a, dot.precision), b = operands(test.b, dot.b, dot.precision);
  int wrong = 0;
  for (std::int64_t z = 0; z < dot.batch; ++z) {
    for (std::int64_t i = 0; i < dot.m; ++i) {
      for (std::int64_t j = 0; j < dot.n; ++j) {
        const std::int64_t at = (z * dot.m + i) * dot.n + j;
        double sum = get(test.c, dot.accumulator, at), size = std::fabs(sum);
        for (std::int64_t p = 0; p < dot.k; ++p) {
          const double product = a[(z * dot.m + i) * dot.k + p] * b[(z * dot.k + p) * dot.n + j];
          sum += product;
          size += std::fabs(product);
        }
        const double got = get(d, dot.accumulator, at);
        if (!(std::fabs(got - sum) <= tolerance(dot) * size) && ++wrong == 1) {
          ADD_FAILURE() << "at " << z << "," << i << "," << j << ": " << got << " for " << sum << "; " << dot.m << "x"
                        << dot.n << "x" << dot.k << " " << to_string(dot.a) << "*" << to_string(dot.b) << "->"
                        << to_string(dot.accumulator) << " precision " << static_cast<int>(dot.precision);
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

std::vector<Dot> all_types() {
  std::vector<Dot> out;
  const auto add = [&](Scalar a, Scalar b, Scalar accumulator, DotPrecision precision = DotPrecision::kIeee) {
    out.push_back({.a = a, .b = b, .accumulator = accumulator, .precision = precision});
  };
  for (const DotPrecision precision : {DotPrecision::kIeee, DotPrecision::kTf32, DotPrecision::kTf32x3,
                                       DotPrecision::kBf16x3, DotPrecision::kBf16x6}) {
    add(Scalar::kF32, Scalar::kF32, Scalar::kF32, precision);
  }
  add(Scalar::kF64, Scalar::kF64, Scalar::kF64);
  add(Scalar::kF64, Scalar::kF64, Scalar::kF64, DotPrecision::kTf32);  // says nothing about other types
  add(Scalar::kF16, Scalar::kF16, Scalar::kF32, DotPrecision::kTf32);
  add(Scalar::kF16, Scalar::kF16, Scalar::kF16);
  add(Scalar::kBF16, Scalar::kBF16, Scalar::kF32, DotPrecision::kTf32);
  add(Scalar::kI8, Scalar::kI8, Scalar::kI32);
  constexpr Scalar kFp8[] = {Scalar::kF8E4M3, Scalar::kF8E5M2, Scalar::kF8E4M3B15, Scalar::kF8E4M3FNUZ,
                             Scalar::kF8E5M2FNUZ};
  for (const Scalar a : kFp8) {
    for (const Scalar b : kFp8) {
      add(a, b, Scalar::kF32);
      add(a, b, Scalar::kF16);
    }
  }
  return out;
}

TEST(DotTest, AgreesWithTheSumInDoubles) {
  constexpr std::int64_t kSizes[][4] = {
      // batch, m, n, k
      {1, 16, 16, 16}, {1, 1, 1, 1},    {1, 3, 5, 7},   {3, 16, 8, 32}, {2, 17, 33, 9},   {1, 7, 48, 16},
      {1, 64, 64, 32}, {2, 13, 100, 5}, {1, 5, 31, 65}, {1, 9, 47, 3},  {1, 64, 256, 64}, {4, 1, 16, 16},
  };
  for (Dot dot : all_types()) {
    for (const auto& [batch, m, n, k] : kSizes) {
      dot.batch = batch, dot.m = m, dot.n = n, dot.k = k;
      ASSERT_TRUE(supported(dot));
      const Case test = random_case(dot, static_cast<unsigned>(m * 1000 + n));
      const Bytes apart = run(test);
      expect_right(test, apart);
      EXPECT_EQ(apart, run(test, true)) << "d is c";
    }
  }
}

TEST(DotTest, RefusesWhatItCannotDo) {
  const Dot good{.m = 16, .n = 16, .k = 16};
  EXPECT_TRUE(supported(good));
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}}) {
    Dot dot = good;
    dot.k = size;
    EXPECT_FALSE(supported(dot));
  }
  const auto types = [&](Scalar a, Scalar b, Scalar accumulator) {
    Dot dot = good;
    dot.a = a, dot.b = b, dot.accumulator = accumulator;
    return supported(dot);
  };
  EXPECT_FALSE(types(Scalar::kF16, Scalar::kBF16, Scalar::kF32));
  EXPECT_FALSE(types(Scalar::kF16, Scalar::kF8E5M2, Scalar::kF32));
  EXPECT_FALSE(types(Scalar::kF32, Scalar::kF32, Scalar::kF16));
  EXPECT_FALSE(types(Scalar::kF32, Scalar::kF32, Scalar::kF64));
  EXPECT_FALSE(types(Scalar::kI8, Scalar::kI8, Scalar::kF32));
  EXPECT_FALSE(types(Scalar::kI16, Scalar::kI16, Scalar::kI32));
  EXPECT_FALSE(types(Scalar::kPointer, Scalar::kPointer, Scalar::kF32));
}

TEST(DotTest, ReadsThePrecisionsOfTheIr) {
  EXPECT_EQ(dot_precision("tf32"), DotPrecision::kTf32);
  EXPECT_EQ(dot_precision("tf32x3"), DotPrecision::kTf32x3);
  EXPECT_EQ(dot_precision("bf16x3"), DotPrecision::kBf16x3);
  EXPECT_EQ(dot_precision("bf16x6"), DotPrecision::kBf16x6);
  EXPECT_EQ(dot_precision("ieee"), DotPrecision::kIeee);
  EXPECT_EQ(dot_precision(""), DotPrecision::kIeee);
}

TEST(DotTest, SplitPrecisionsAreMuchCloserThanTf32) {
  Dot dot{.m = 32, .n = 32, .k = 64, .precision = DotPrecision::kTf32};
  const auto error = [&](DotPrecision precision) {
    dot.precision = precision;
    const Bytes got = run(random_case(dot, 5));
    dot.precision = DotPrecision::kIeee;
    const Bytes right = run(random_case(dot, 5));
    double largest = 0;
    for (std::int64_t i = 0; i < dot.m * dot.n; ++i) {
      largest = std::max(largest, std::fabs(get(got, Scalar::kF32, i) - get(right, Scalar::kF32, i)));
    }
    return largest;
  };
  const double tf32 = error(DotPrecision::kTf32);
  EXPECT_GT(tf32, 1e-3);
  EXPECT_LT(error(DotPrecision::kTf32x3), tf32 / 500);
  EXPECT_LT(error(DotPrecision::kBf16x3), tf32 / 20);
  EXPECT_LT(error(DotPrecision::kBf16x6), tf32 / 500);
}

TEST(DotTest, Tf32KeepsTenBitsOfEachOperand) {
  EXPECT_EQ(to_tf32(1.0f + 0x1p-10f), 1.0f + 0x1p-10f);
  EXPECT_EQ(to_tf32(1.0f + 0x1p-10f - 0x1p-23f), 1.0f);
  EXPECT_EQ(to_tf32(-1.0f - 0x1p-11f), -1.0f);
  EXPECT_EQ(to_tf32(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(to_tf32(kNan)));
  EXPECT_EQ(round_to_tf32(1.0f + 0x1p-11f), 1.0f + 0x1p-10f);
  EXPECT_EQ(round_to_tf32(-1.0f - 0x1p-11f), -1.0f - 0x1p-10f);
  EXPECT_EQ(round_to_tf32(1.0f + 0x1p-11f - 0x1p-23f), 1.0f);
  EXPECT_EQ(round_to_tf32(-kInfinity), -kInfinity);
  EXPECT_TRUE(std::isnan(round_to_tf32(std::bit_cast<float>(0x7fffffffu))));
  EXPECT_TRUE(std::isnan(round_to_tf32(std::bit_cast<float>(0xffffffffu))));

  Case test = random_case({.m = 1, .n = 1, .k = 1, .precision = DotPrecision::kTf32}, 1);
  put(test.a, Scalar::kF32, 0, 1 + 0x1p-10 + 0x1p-11);
  put(test.b, Scalar::kF32, 0, 3 + 0x1p-20);
  put(test.c, Scalar::kF32, 0, 0x1p-20);  // is not rounded
  EXPECT_EQ(get(run(test), Scalar::kF32, 0), (1 + 0x1p-10) * 3 + 0x1p-20);
}

TEST(DotTest, Int8IsExactAndWrapsAround) {
  Case test =
      random_case({.m = 2, .n = 3, .k = 3000, .a = Scalar::kI8, .b = Scalar::kI8, .accumulator = Scalar::kI32}, 1);
  for (std::int64_t i = 0; i < 2 * 3000; ++i) put(test.a, Scalar::kI8, i, -128);
  for (std::int64_t i = 0; i < 3 * 3000; ++i) put(test.b, Scalar::kI8, i, -128);
  for (std::int64_t i = 0; i < 6; ++i) put(test.c, Scalar::kI32, i, static_cast<double>(INT32_MAX - i));
  const Bytes d = run(test);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(get(d, Scalar::kI32, i), static_cast<double>(INT32_MAX - i) + 3000.0 * 16384 - 0x1p32);
  }
}

TEST(DotTest, InfinitiesAndNansGoWhereTheyMust) {
  for (Dot dot : all_types()) {
    if (dot.accumulator == Scalar::kI32 || dot.a == Scalar::kF8E4M3B15 || dot.b == Scalar::kF8E4M3B15) continue;
    dot.m = 5, dot.n = 19, dot.k = 3;
    Case test = random_case(dot, 3);
    for (std::int64_t i = 0; i < dot.m * dot.k; ++i) put(test.a, dot.a, i, 1);
    for (std::int64_t i = 0; i < dot.n * dot.k; ++i) put(test.b, dot.b, i, 1);
    for (std::int64_t i = 0; i < dot.m * dot.n; ++i) put(test.c, dot.accumulator, i, 0.5);
    put(test.a, dot.a, 1 * dot.k + 2, kNan);
    const bool infinite = dot.b == Scalar::kF32 || dot.b == Scalar::kF64 || dot.b == Scalar::kF16;
    if (infinite) put(test.b, dot.b, 2 * dot.n + 17, kInfinity);
    put(test.c, dot.accumulator, 3 * dot.n + 18, kNan);
    const Bytes d = run(test);
    for (std::int64_t i = 0; i < dot.m; ++i) {
      for (std::int64_t j = 0; j < dot.n; ++j) {
        const double got = get(d, dot.accumulator, i * dot.n + j);
        const std::string where = to_string(dot.a) + "*" + to_string(dot.b) + " precision " +
                                  std::to_string(static_cast<int>(dot.precision)) + " at " + std::to_string(i) + "," +
                                  std::to_string(j);
        if (i == 1 || (i == 3 && j == 18)) {
          EXPECT_TRUE(std::isnan(got)) << where << ": " << got;
        } else if (infinite && j == 17) {
          EXPECT_EQ(got, kInfinity) << where;
        } else {
          EXPECT_EQ(got, 3.5) << where;
        }
      }
    }
  }
}

TEST(DotTest, HalfAccumulatorIsRoundedOnce) {
  Case test =
      random_case({.m = 1, .n = 1, .k = 4, .a = Scalar::kF16, .b = Scalar::kF16, .accumulator = Scalar::kF16}, 1);
  for (std::int64_t i = 0; i < 4; ++i) put(test.a, Scalar::kF16, i, 1), put(test.b, Scalar::kF16, i, 0.5);
  put(test.c, Scalar::kF16, 0, 2048);  // where halves are 2 apart
  EXPECT_EQ(get(run(test), Scalar::kF16, 0), 2050);
}

}  // namespace
}  // namespace tritonrl::machine
