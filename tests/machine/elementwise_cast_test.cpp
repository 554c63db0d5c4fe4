#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "machine/numbers/float_formats.h"
#include "tests/machine/elementwise_call.h"

namespace tritonrl::machine {
namespace {

constexpr Scalar kFloats[] = {Scalar::kF8E4M3,     Scalar::kF8E5M2,     Scalar::kF8E4M3B15,
                              Scalar::kF8E4M3FNUZ, Scalar::kF8E5M2FNUZ, Scalar::kF16,
                              Scalar::kBF16,       Scalar::kF32,        Scalar::kF64};

Elements random_bits(Scalar scalar, int count) {
  std::mt19937_64 random(11);
  Elements result{scalar, {}};
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = random();
    const auto* bytes = reinterpret_cast<const unsigned char*>(&bits);
    result.bytes.insert(result.bytes.end(), bytes, bytes + size_of(scalar));
  }
  return result;
}

std::uint64_t bits_at(const Elements& elements, std::int64_t index) {
  std::uint64_t bits = 0;
  const auto size = static_cast<std::size_t>(size_of(elements.scalar));
  std::memcpy(&bits, elements.bytes.data() + static_cast<std::size_t>(index) * size, size);
  return bits;
}

// float_formats_test.cpp holds the formats themselves against their definition.
TEST(ElementwiseCast, EveryPairOfFloatTypes) {
  for (const Scalar from : kFloats) {
    const Elements in = random_bits(from, 20'000);
    for (const Scalar to : kFloats) {
      const Elements got = run({"tt.fp_to_fp", {{"rounding", std::string("rtne")}}}, {in}, to);
      ASSERT_FALSE(got.bytes.empty()) << to_string(from) << " " << to_string(to);
      for (std::int64_t i = 0; i < in.count(); ++i) {
        const double x = to_double(from, bits_at(in, i));
        const std::uint64_t want = from_double(to, x);
        // Triton's conversion takes these for numbers, seen on an H200.
        if (from == Scalar::kF8E5M2 && to == Scalar::kBF16 && !std::isfinite(x)) {
          ASSERT_GE(std::fabs(to_double(to, bits_at(got, i))), 65536);
          continue;
        }
        if (std::isnan(x) && to != Scalar::kF8E4M3B15) {
          ASSERT_TRUE(std::isnan(to_double(to, bits_at(got, i)))) << to_string(from) << " " << to_string(to);
        } else if (!std::isnan(x)) {
          ASSERT_EQ(bits_at(got, i), want) << to_string(from) << " to " << to_string(to) << " " << x;
        }
      }
    }
  }
}

TEST(ElementwiseCast, TowardZeroNeverGrows) {
  for (const Scalar from : {Scalar::kF32, Scalar::kF64}) {
    const Elements in = random_bits(from, 50'000);
    for (const Scalar to : {Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF8E5M2}) {
      const Elements got = run({"tt.fp_to_fp", {{"rounding", std::string("rtz")}}}, {in}, to);
      for (std::int64_t i = 0; i < in.count(); ++i) {
        const double x = to_double(from, bits_at(in, i));
        if (!std::isfinite(x)) continue;
        const std::uint64_t code = bits_at(got, i);
        const double y = to_double(to, code), next = to_double(to, code + 1);
        ASSERT_LE(std::fabs(y), std::fabs(x));
        if (std::isfinite(next)) {
          ASSERT_GT(std::fabs(next), std::fabs(x));
        }
      }
    }
  }
}

TEST(ElementwiseCast, ExtendsAndTruncatesFloats) {
  const Elements half = elements(Scalar::kF16, std::vector<std::uint16_t>{0x3c00, 0xfbff});
  EXPECT_EQ(run({"arith.extf"}, {half}, Scalar::kF32).at<float>(1), -65504.0f);
  const Elements x = elements(Scalar::kF64, std::vector<double>{1.0 + 1.0 / 2048 + 1e-12});
  EXPECT_EQ(run({"arith.truncf"}, {x}, Scalar::kF16).at<std::uint16_t>(0), 0x3c01);
}

TEST(ElementwiseCast, Integers) {
  const Elements bytes = elements(Scalar::kI8, std::vector<std::int8_t>{-1, 5});
  EXPECT_EQ(run({"arith.extsi"}, {bytes}, Scalar::kI64).at<std::int64_t>(0), -1);
  EXPECT_EQ(run({"arith.extui"}, {bytes}, Scalar::kI64).at<std::int64_t>(0), 255);
  const Elements flag = elements(Scalar::kI1, std::vector<std::uint8_t>{1});
  EXPECT_EQ(run({"arith.extsi"}, {flag}, Scalar::kI32).at<std::int32_t>(0), -1);
  EXPECT_EQ(run({"arith.extui"}, {flag}, Scalar::kI32).at<std::int32_t>(0), 1);
  EXPECT_EQ(run({"arith.sitofp"}, {flag}, Scalar::kF32).at<float>(0), -1.0f);
  EXPECT_EQ(run({"arith.uitofp"}, {flag}, Scalar::kF32).at<float>(0), 1.0f);
  const Elements wide = elements(Scalar::kI64, std::vector<std::int64_t>{0x1'8000'0002, 3});
  EXPECT_EQ(run({"arith.trunci"}, {wide}, Scalar::kI32).at<std::uint32_t>(0), 0x80000002u);
  EXPECT_EQ(run({"arith.trunci"}, {wide}, Scalar::kI1).at<std::uint8_t>(0), 0);
  EXPECT_EQ(run({"arith.trunci"}, {wide}, Scalar::kI1).at<std::uint8_t>(1), 1);
  const Elements word = elements(Scalar::kI32, std::vector<std::int32_t>{-7});
  EXPECT_EQ(run({"arith.index_cast"}, {word}, Scalar::kIndex).at<std::int64_t>(0), -7);
  EXPECT_EQ(run({"arith.index_castui"}, {word}, Scalar::kIndex).at<std::int64_t>(0), 0xfffffff9);
}

// Integers become narrow floats in one rounding, which float or double on the way would spoil.
TEST(ElementwiseCast, IntegersAreRoundedOnce) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> x = {0,
                                 1,
                                 -1,
                                 65519,
                                 65520,
                                 -65520,
                                 std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max(),
                                 (std::int64_t{257} << 54) + 1,
                                 (std::int64_t{257} << 53) - 1,
                                 -((std::int64_t{257} << 54) + 1),
                                 (1 << 24) + 1};
  for (int i = 0; i < 50'000; ++i) x.push_back(static_cast<std::int64_t>(random()) >> (i % 63));
  __extension__ typedef __int128 Wide;
  for (const Scalar to : {Scalar::kF16, Scalar::kBF16}) {
    for (const char* name : {"arith.sitofp", "arith.uitofp"}) {
      const Elements got = run({name}, {elements(Scalar::kI64, x)}, to);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Wide exact = name[6] == 's' ? Wide{x[i]} : Wide{static_cast<std::uint64_t>(x[i])};
        const std::uint64_t code = bits_at(got, static_cast<std::int64_t>(i));
        const double value = to_double(to, code);
        if (std::isinf(value)) {
          ASSERT_GE(std::fabs(static_cast<double>(exact)), 65520.0);
          continue;
        }
        // Both neighbours are no nearer, and if one is as near then this one is even.
        const auto distance = [&](double y) {
          const Wide d = exact * 2 - static_cast<Wide>(y * 2);
          return d < 0 ? -d : d;
        };
        for (const std::uint64_t neighbour : {code - 1, code + 1}) {
          const double other = to_double(to, neighbour & 0xffff);
          if (!std::isfinite(other)) continue;
          ASSERT_LE(distance(value), distance(other)) << x[i];
          if (exact != 0 && distance(value) == distance(other)) {
            ASSERT_EQ(code & 1, 0u) << x[i];
          }
        }
      }
    }
  }
}

TEST(ElementwiseCast, FloatsToIntegersSaturate) {
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {1.9f, -1.9f, 3e9f, -3e9f, kInf, -kInf, kNan, 1e30f};
  const Elements in = elements(Scalar::kF32, x);
  const auto check = [&]<class T>(const char* name, Scalar to, std::vector<T> want) {
    const Elements got = run({name}, {in}, to);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(+got.at<T>(static_cast<std::int64_t>(i)), +want[i]) << name << " " << to_string(to) << " " << x[i];
    }
  };
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max(),
                         kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max(),
                         kMin64 = std::numeric_limits<std::int64_t>::min();
  check("arith.fptosi", Scalar::kI32, std::vector<std::int32_t>{1, -1, kMax, kMin, kMax, kMin, 0, kMax});
  check("arith.fptoui", Scalar::kI32, std::vector<std::uint32_t>{1, 0, 3000000000u, 0, 0xffffffffu, 0, 0, 0xffffffffu});
  check("arith.fptosi", Scalar::kI16, std::vector<std::int16_t>{1, -1, 32767, -32768, 32767, -32768, 0, 32767});
  // The GPU has no conversion to eight bits: sixteen, then the low half.
  check("arith.fptosi", Scalar::kI8, std::vector<std::int8_t>{1, -1, -1, 0, -1, 0, 0, -1});
  check("arith.fptosi", Scalar::kI64,
        std::vector<std::int64_t>{1, -1, 3000000000, -3000000000, kMax64, kMin64, kMin64, kMax64});
}

TEST(ElementwiseCast, Pointers) {
  const Elements base = elements(Scalar::kPointer, std::vector<std::uint64_t>{4096, 4096, 4096});
  const Elements offset = elements(Scalar::kI32, std::vector<std::int32_t>{3, -1, std::numeric_limits<int>::max()});
  const Elements got = run({"tt.addptr", {}, Scalar::kF32}, {base, offset}, Scalar::kPointer);
  EXPECT_EQ(got.at<std::uint64_t>(0), 4108u);
  EXPECT_EQ(got.at<std::uint64_t>(1), 4092u);
  EXPECT_EQ(got.at<std::uint64_t>(2), 4096u + 4 * 2147483647ull);
  const Elements wide = elements(Scalar::kI64, std::vector<std::int64_t>{1, -2, std::int64_t{1} << 40});
  EXPECT_EQ(run({"tt.addptr", {}, Scalar::kI1}, {base, wide}, Scalar::kPointer).at<std::uint64_t>(1), 4094u);
  EXPECT_EQ(run({"tt.addptr", {}, Scalar::kF64}, {base, wide}, Scalar::kPointer).at<std::uint64_t>(2),
            4096u + (std::uint64_t{8} << 40));
  EXPECT_EQ(run({"tt.ptr_to_int"}, {base}, Scalar::kI64).at<std::int64_t>(0), 4096);
  EXPECT_EQ(run({"tt.int_to_ptr"}, {wide}, Scalar::kPointer).at<std::uint64_t>(2), std::uint64_t{1} << 40);
  EXPECT_EQ(find({"tt.addptr"}, {Scalar::kPointer, Scalar::kI32}, Scalar::kPointer).run, nullptr);
}

}  // namespace
}  // namespace tritonrl::machine
