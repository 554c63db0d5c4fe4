#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "tests/machine/elementwise_call.h"

namespace tritonrl::machine {
namespace {

// Every operation against its definition on wide integers, on all pairs of bytes and on corners and random numbers of
// the wider types. Operands come to the definition sign-extended (s) and zero-extended (u).
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

struct Operands {
  Wide s, t;  // signed
  Wide u, v;  // unsigned
  int bits;
};

Wide floor_of(Wide a, Wide b) {
  const Wide q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

struct Case {
  const char* name;
  std::function<Wide(const Operands&)> want;
};

const Case kCases[] = {
    {"arith.addi", [](const Operands& o) { return o.u + o.v; }},
    {"arith.subi", [](const Operands& o) { return o.u - o.v; }},
    {"arith.muli",
     [](const Operands& o) {
       return static_cast<Wide>(static_cast<UnsignedWide>(o.u) * static_cast<UnsignedWide>(o.v));
     }},
    {"arith.andi", [](const Operands& o) { return o.u & o.v; }},
    {"arith.ori", [](const Operands& o) { return o.u | o.v; }},
    {"arith.xori", [](const Operands& o) { return o.u ^ o.v; }},
    {"arith.minsi", [](const Operands& o) { return o.s < o.t ? o.s : o.t; }},
    {"arith.maxsi", [](const Operands& o) { return o.s > o.t ? o.s : o.t; }},
    {"arith.minui", [](const Operands& o) { return o.u < o.v ? o.u : o.v; }},
    {"arith.maxui", [](const Operands& o) { return o.u > o.v ? o.u : o.v; }},
    {"arith.divsi", [](const Operands& o) { return o.t == 0 ? 0 : o.s / o.t; }},
    {"arith.divui", [](const Operands& o) { return o.v == 0 ? 0 : o.u / o.v; }},
    {"arith.remsi", [](const Operands& o) { return o.t == 0 ? 0 : o.s % o.t; }},
    {"arith.remui", [](const Operands& o) { return o.v == 0 ? 0 : o.u % o.v; }},
    {"arith.floordivsi", [](const Operands& o) { return o.t == 0 ? 0 : floor_of(o.s, o.t); }},
    {"arith.ceildivsi", [](const Operands& o) { return o.t == 0 ? 0 : -floor_of(-o.s, o.t); }},
    {"arith.ceildivui", [](const Operands& o) { return o.v == 0 ? 0 : (o.u + o.v - 1) / o.v; }},
    {"arith.shli", [](const Operands& o) { return o.v >= o.bits ? 0 : o.u << static_cast<int>(o.v); }},
    {"arith.shrui", [](const Operands& o) { return o.v >= o.bits ? 0 : o.u >> static_cast<int>(o.v); }},
    {"arith.shrsi", [](const Operands& o) { return o.s >> static_cast<int>(o.v >= o.bits ? o.bits - 1 : o.v); }},
    {"tt.mulhiui",
     [](const Operands& o) {
       return static_cast<Wide>((static_cast<UnsignedWide>(o.u) * static_cast<UnsignedWide>(o.v)) >> o.bits);
     }},
};

template <class T>
std::vector<T> numbers(int bits) {
  std::vector<T> result;
  if (bits == 1) return {T{0}, T{1}};
  if (bits == 8) {
    for (int i = -128; i < 128; ++i) result.push_back(static_cast<T>(i));
    return result;
  }
  for (int i = -5; i <= 70; ++i) result.push_back(static_cast<T>(i));
  for (int bit = 7; bit < bits; ++bit) {
    for (int delta = -1; delta <= 1; ++delta) {
      result.push_back(static_cast<T>((std::uint64_t{1} << bit) + static_cast<std::uint64_t>(delta)));
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 60; ++i) result.push_back(static_cast<T>(random() >> (i % bits)));
  return result;
}

template <class T>
void check(const Case& test, Scalar scalar, int bits) {
  std::vector<T> a, b;
  for (const T x : numbers<T>(bits)) {
    for (const T y : numbers<T>(bits)) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const Elements got = run({test.name}, {elements(scalar, a), elements(scalar, b)}, scalar);
  ASSERT_FALSE(got.bytes.empty()) << test.name << " " << to_string(scalar);
  using U = std::make_unsigned_t<T>;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Operands o{a[i], b[i], static_cast<U>(a[i]), static_cast<U>(b[i]), bits};
    if (bits == 1) o.s = -o.u, o.t = -o.v;
    const U mask = bits == 1 ? U{1} : static_cast<U>(~U{0});
    const U want = static_cast<U>(static_cast<U>(test.want(o)) & mask);
    ASSERT_EQ(+got.at<U>(static_cast<std::int64_t>(i)), +want)
        << test.name << " " << to_string(scalar) << " " << +a[i] << " " << +b[i];
  }
}

TEST(ElementwiseInteger, AgreesWithItsDefinition) {
  for (const Case& test : kCases) {
    check<std::int8_t>(test, Scalar::kI1, 1);
    check<std::int8_t>(test, Scalar::kI8, 8);
    check<std::int16_t>(test, Scalar::kI16, 16);
    check<std::int32_t>(test, Scalar::kI32, 32);
    check<std::int64_t>(test, Scalar::kI64, 64);
    check<std::int64_t>(test, Scalar::kIndex, 64);
  }
}

TEST(ElementwiseInteger, QuotientsOfRandomNumbersAreExact) {
  std::mt19937 random(3);
  std::vector<std::int32_t> a, b;
  for (int i = 0; i < 1'000'000; ++i) {
    a.push_back(static_cast<std::int32_t>(random() >> (random() % 32)));
    b.push_back(static_cast<std::int32_t>(random() >> (random() % 32)));
    if (b.back() == 0) b.back() = 1;
    if (i % 2 == 0) {  // just around a multiple
      const std::int64_t k = static_cast<std::int64_t>(a.back()) / b.back() * b.back() + i % 3 - 1;
      a.back() = static_cast<std::int32_t>(k);
    }
  }
  const Elements q = run({"arith.divsi"}, {elements(Scalar::kI32, a), elements(Scalar::kI32, b)}, Scalar::kI32);
  const Elements r = run({"arith.remsi"}, {elements(Scalar::kI32, a), elements(Scalar::kI32, b)}, Scalar::kI32);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t x = a[i], y = b[i], index = static_cast<std::int64_t>(i);
    ASSERT_EQ(q.at<std::int32_t>(index), static_cast<std::int32_t>(x / y)) << x << " / " << y;
    ASSERT_EQ(r.at<std::int32_t>(index), x % y) << x << " % " << y;
  }
}

template <class T>
void check_extended(Scalar scalar) {
  std::vector<T> a, b;
  for (const T x : numbers<T>(8 * sizeof(T))) {
    for (const T y : numbers<T>(8 * sizeof(T))) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const auto result = [&](const char* name, int index, Scalar out) {
    return run({name, {}, Scalar::kNone, index}, {elements(scalar, a), elements(scalar, b)}, out);
  };
  const Elements signed_low = result("arith.mulsi_extended", 0, scalar);
  const Elements signed_high = result("arith.mulsi_extended", 1, scalar);
  const Elements low = result("arith.mului_extended", 0, scalar), high = result("arith.mului_extended", 1, scalar);
  const Elements sum = result("arith.addui_extended", 0, scalar),
                 carry = result("arith.addui_extended", 1, Scalar::kI1);
  constexpr int kBits = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const Wide product = Wide{a[i]} * b[i];
    const UnsignedWide u = static_cast<U>(a[i]), v = static_cast<U>(b[i]);
    ASSERT_EQ(signed_low.at<T>(index), static_cast<T>(product));
    ASSERT_EQ(signed_high.at<T>(index), static_cast<T>(product >> kBits)) << a[i] << " " << b[i];
    ASSERT_EQ(low.at<U>(index), static_cast<U>(u * v));
    ASSERT_EQ(high.at<U>(index), static_cast<U>((u * v) >> kBits)) << a[i] << " " << b[i];
    ASSERT_EQ(sum.at<U>(index), static_cast<U>(u + v));
    ASSERT_EQ(carry.at<std::uint8_t>(index), static_cast<std::uint8_t>((u + v) >> kBits)) << a[i] << " " << b[i];
  }
}

TEST(ElementwiseInteger, ExtendedOperationsHaveTwoResults) {
  check_extended<std::int16_t>(Scalar::kI16);
  check_extended<std::int32_t>(Scalar::kI32);
  check_extended<std::int64_t>(Scalar::kI64);
}

TEST(ElementwiseInteger, CountsBits) {
  const std::vector<std::int32_t> a = {0, 1, -1, 0x00010000, std::numeric_limits<std::int32_t>::min()};
  const auto count = [&](const char* name) {
    std::vector<std::int32_t> result;
    const Elements got = run({name}, {elements(Scalar::kI32, a)}, Scalar::kI32);
    for (std::int64_t i = 0; i < got.count(); ++i) result.push_back(got.at<std::int32_t>(i));
    return result;
  };
  EXPECT_EQ(count("math.ctlz"), (std::vector<std::int32_t>{32, 31, 0, 15, 0}));
  EXPECT_EQ(count("math.cttz"), (std::vector<std::int32_t>{32, 0, 0, 16, 31}));
  EXPECT_EQ(count("math.ctpop"), (std::vector<std::int32_t>{0, 1, 32, 1, 1}));
  EXPECT_EQ(count("math.absi"),
            (std::vector<std::int32_t>{0, 1, 1, 0x00010000, std::numeric_limits<std::int32_t>::min()}));
}

TEST(ElementwiseInteger, PowersWrap) {
  const std::vector<std::int32_t> base = {3, -2, 2, 1, -1, 7}, exponent = {5, 3, 40, -4, -3, -1};
  const Elements got =
      run({"math.ipowi"}, {elements(Scalar::kI32, base), elements(Scalar::kI32, exponent)}, Scalar::kI32);
  const std::vector<std::int32_t> want = {243, -8, 0, 1, -1, 0};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got.at<std::int32_t>(static_cast<std::int64_t>(i)), want[i]);
}

TEST(ElementwiseInteger, RefusesWhatDoesNotFit) {
  const std::vector<Scalar> mixed = {Scalar::kI32, Scalar::kI64};
  EXPECT_EQ(find({"arith.addi"}, mixed, Scalar::kI32).run, nullptr);
  EXPECT_EQ(find({"arith.addi"}, {Scalar::kF32, Scalar::kF32}, Scalar::kF32).run, nullptr);
  EXPECT_EQ(find({"arith.addi"}, {Scalar::kI32}, Scalar::kI32).run, nullptr);
  EXPECT_EQ(find({"arith.nothing"}, {Scalar::kI32, Scalar::kI32}, Scalar::kI32).run, nullptr);
  EXPECT_EQ(find({"arith.addi"}, {}, Scalar::kI32).run, nullptr);
}

}  // namespace
}  // namespace tritonrl::machine
