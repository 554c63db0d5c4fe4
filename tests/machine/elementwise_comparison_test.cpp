#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "machine/numbers/float_formats.h"
#include "tests/machine/elementwise_call.h"

namespace tritonrl::machine {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Call compare(const char* name, const char* predicate) {
  return {name, {{"predicate", std::string(predicate)}}};
}

// What each predicate says for less, equal, greater, unordered.
struct FloatCase {
  const char* predicate;
  const char* answers;
};

TEST(ElementwiseComparison, FloatPredicates) {
  const FloatCase cases[] = {{"false", "0000"}, {"oeq", "0100"}, {"ogt", "0010"}, {"oge", "0110"},
                             {"olt", "1000"},   {"ole", "1100"}, {"one", "1010"}, {"ord", "1110"},
                             {"ueq", "0101"},   {"ugt", "0011"}, {"uge", "0111"}, {"ult", "1001"},
                             {"ule", "1101"},   {"une", "1011"}, {"uno", "0001"}, {"true", "1111"}};
  const float pairs[][2] = {{1, 2}, {-0.0f, 0.0f}, {3, -1}, {kNan, 1}, {1, kNan}, {kNan, kNan}};
  for (const Scalar scalar : {Scalar::kF16, Scalar::kBF16, Scalar::kF32, Scalar::kF64}) {
    for (const FloatCase& test : cases) {
      for (int p = 0; p < 6; ++p) {
        const auto operand = [&](float value) {
          // Long enough that the vector part of the loop runs too.
          Elements result{scalar, {}};
          const std::uint64_t bits = from_double(scalar, value);
          for (int i = 0; i < 67; ++i) {
            const auto* bytes = reinterpret_cast<const unsigned char*>(&bits);
            result.bytes.insert(result.bytes.end(), bytes, bytes + size_of(scalar));
          }
          return result;
        };
        const Elements got =
            run(compare("arith.cmpf", test.predicate), {operand(pairs[p][0]), operand(pairs[p][1])}, Scalar::kI1);
        ASSERT_EQ(got.count(), 67) << test.predicate;
        for (std::int64_t i = 0; i < 67; ++i) {
          EXPECT_EQ(got.at<std::uint8_t>(i), test.answers[std::min(p, 3)] - '0') << test.predicate << " " << p;
        }
      }
    }
  }
}

TEST(ElementwiseComparison, IntegerPredicates) {
  struct Case {
    const char* predicate;
    const char* answers;  // for (1, 2), (2, 2), (-1, 1): the last differs between signed and unsigned
  };
  const Case cases[] = {{"eq", "010"},  {"ne", "101"},  {"slt", "101"}, {"sle", "111"}, {"sgt", "000"},
                        {"sge", "010"}, {"ult", "100"}, {"ule", "110"}, {"ugt", "001"}, {"uge", "011"}};
  for (const Case& test : cases) {
    const auto check = [&]<class T>(Scalar scalar, T) {
      const Elements got =
          run(compare("arith.cmpi", test.predicate),
              {elements(scalar, std::vector<T>{1, 2, -1}), elements(scalar, std::vector<T>{2, 2, 1})}, Scalar::kI1);
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(got.at<std::uint8_t>(i), test.answers[i] - '0') << test.predicate << " " << to_string(scalar);
      }
    };
    check(Scalar::kI8, std::int8_t{});
    check(Scalar::kI16, std::int16_t{});
    check(Scalar::kI32, std::int32_t{});
    check(Scalar::kI64, std::int64_t{});
    check(Scalar::kIndex, std::int64_t{});
  }
}

TEST(ElementwiseComparison, TrueIsMinusOneWhenSigned) {
  const Elements a = elements(Scalar::kI1, std::vector<std::uint8_t>{1}),
                 b = elements(Scalar::kI1, std::vector<std::uint8_t>{0});
  EXPECT_EQ(run(compare("arith.cmpi", "slt"), {a, b}, Scalar::kI1).at<std::uint8_t>(0), 1);
  EXPECT_EQ(run(compare("arith.cmpi", "ult"), {a, b}, Scalar::kI1).at<std::uint8_t>(0), 0);
}

TEST(ElementwiseComparison, UnknownPredicatesAreRefused) {
  EXPECT_EQ(find(compare("arith.cmpi", "olt"), {Scalar::kI32, Scalar::kI32}, Scalar::kI1).run, nullptr);
  EXPECT_EQ(find({"arith.cmpf"}, {Scalar::kF32, Scalar::kF32}, Scalar::kI1).run, nullptr);
}

TEST(ElementwiseComparison, SelectsEveryWidth) {
  std::vector<std::uint8_t> condition(100);
  for (std::size_t i = 0; i < condition.size(); ++i) condition[i] = i % 3 == 0;
  for (const Scalar scalar :
       {Scalar::kI1, Scalar::kF8E4M3, Scalar::kBF16, Scalar::kI32, Scalar::kF64, Scalar::kPointer}) {
    const auto size = static_cast<std::size_t>(size_of(scalar));
    const Elements yes{scalar, std::vector<unsigned char>(100 * size, 1)};
    const Elements no{scalar, std::vector<unsigned char>(100 * size, 0)};
    const Elements got = run({"arith.select"}, {elements(Scalar::kI1, condition), yes, no}, scalar);
    for (std::size_t i = 0; i < got.bytes.size(); ++i) ASSERT_EQ(got.bytes[i], condition[i / size]);
  }
}

TEST(ElementwiseComparison, ClassifiesFloats) {
  const std::vector<float> x = {1, 0, kNan, std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()};
  const std::pair<const char*, const char*> cases[] = {
      {"math.isnan", "00100"}, {"math.isinf", "00011"}, {"math.isfinite", "11000"}};
  for (const auto& [name, answers] : cases) {
    const Elements got = run({name}, {elements(Scalar::kF32, x)}, Scalar::kI1);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(got.at<std::uint8_t>(i), answers[i] - '0') << name << " " << i;
  }
}

}  // namespace
}  // namespace tritonrl::machine
