#include "judge/integer_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/files.h"
#include "judge/elements.h"
#include "program/program_json.h"
#include "tests/paths.h"

namespace tritonrl::judge {
namespace {

using program::DType;
using Numbers = std::vector<std::int64_t>;

runner::TensorData data_of(const Numbers& values, std::vector<std::int64_t> sizes, DType dtype = DType::kInt64) {
  const auto size = static_cast<std::size_t>(program::size_of(dtype));
  runner::TensorData out{.dtype = dtype, .sizes = std::move(sizes), .bytes = std::string(values.size() * size, '\0')};
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(out.bytes.data() + i * size, &values[i], size);
  return out;
}

Numbers numbers_in(runner::TensorData data, const std::string& bytes) {
  data.bytes = bytes;
  const Elements elements(data);
  Numbers out;
  for (std::size_t i = 0; i < elements.count(); ++i) out.push_back(static_cast<std::int64_t>(elements[i]));
  return out;
}

Numbers anew(const runner::TensorData& data) {
  return numbers_in(data, chosen_anew(data, 7));
}

TEST(IntegerInputs, FlagsAreChosenAnewAlsoWhereAllWereEqual) {
  const runner::TensorData flags = data_of(Numbers(64, 1), {8, 8}, DType::kBool);
  const Numbers other = anew(flags);
  EXPECT_GT(std::count(other.begin(), other.end(), 0), 0);
  EXPECT_GT(std::count(other.begin(), other.end(), 1), 0);
  EXPECT_EQ(std::count(other.begin(), other.end(), 0) + std::count(other.begin(), other.end(), 1), 64);
}

TEST(IntegerInputs, PositionsThatCountUpComeInAnotherOrder) {
  Numbers two_rows;
  for (int row = 0; row < 2; ++row) {
    for (std::int64_t i = 0; i < 16; ++i) two_rows.push_back(i);
  }
  const Numbers other = anew(data_of(two_rows, {2, 16}, DType::kInt32));
  EXPECT_NE(other, two_rows);
  for (int row = 0; row < 2; ++row) {
    Numbers sorted(other.begin() + 16 * row, other.begin() + 16 * (row + 1));
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, Numbers(two_rows.begin(), two_rows.begin() + 16));
  }
}

TEST(IntegerInputs, WhatChoosesNothingInParticularStays) {
  const Numbers offsets = {0, 5, 9, 20}, labels = {3, 1, 2, 0, 3}, few = {0, 1};
  for (const Numbers& one : {offsets, labels, few})
    EXPECT_EQ(anew(data_of(one, {static_cast<std::int64_t>(one.size())})), one);
  const Numbers zeros = anew(data_of(Numbers(64, 0), {64}));
  EXPECT_GT(std::count(zeros.begin(), zeros.end(), 1), 0);
  EXPECT_GT(std::count(zeros.begin(), zeros.end(), 0), 0);
}

Numbers anew(const Numbers& values, const InputUse& use) {
  const runner::TensorData data = data_of(values, {static_cast<std::int64_t>(values.size())});
  return numbers_in(data, chosen_anew(data, 7, use));
}

TEST(IntegerInputs, LengthsThatAreAlikeBecomeOthersUpToTheSame) {
  const Numbers other = anew(Numbers(32, 9), {.compared = true});
  EXPECT_EQ(*std::max_element(other.begin(), other.end()), 9);
  EXPECT_GE(*std::min_element(other.begin(), other.end()), 1);
  EXPECT_LT(*std::min_element(other.begin(), other.end()), 9);
  EXPECT_EQ(anew(Numbers(32, 9), {.asked = true}), Numbers(32, 9));
  EXPECT_EQ(anew(Numbers(32, 9), {.structured = true}), Numbers(32, 9));
}

TEST(IntegerInputs, FewPlacesBecomeOthersThatThereAre) {
  bool changed = false;
  const Numbers other = anew({0, 1}, {.indexes = true, .bound = 50});
  for (const std::int64_t one : other) {
    EXPECT_GE(one, 0);
    EXPECT_LT(one, 50);
    changed = changed || one > 1;
  }
  EXPECT_TRUE(changed);
}

TEST(IntegerInputs, PlacesComeMoreThanOnceWhereTheyAreAddedUpAlone) {
  Numbers places;
  for (std::int64_t i = 0; i < 64; ++i) places.push_back((i * 37) % 64);
  const auto different = [](const Numbers& values) {
    return std::set<std::int64_t>(values.begin(), values.end()).size();
  };
  EXPECT_LT(different(anew(places, {.indexes = true, .bound = 64, .adds_up = true})), 64U);
  EXPECT_EQ(different(anew(places, {.indexes = true, .bound = 64, .overwrites = true})), 64U);
  EXPECT_NE(anew(places, {.indexes = true, .bound = 64, .overwrites = true}), places);
  const Numbers segments = {0, 0, 1, 1, 1, 2, 3, 3};
  const Numbers other = anew(segments, {.indexes = true, .bound = 4, .adds_up = true});
  EXPECT_TRUE(std::is_sorted(other.begin(), other.end())) << "a solution may build on the order of segments";
}

TEST(IntegerInputs, CarefullyChangedFlagsGoOneWay) {
  Numbers flags;
  for (std::int64_t i = 0; i < 64; ++i) flags.push_back(i % 2);
  const runner::TensorData data = data_of(flags, {8, 8}, DType::kBool);
  const Numbers more = numbers_in(data, chosen_anew(data, 8, {}, true)),
                fewer = numbers_in(data, chosen_anew(data, 9, {}, true));
  EXPECT_NE(more, flags);
  EXPECT_NE(fewer, flags);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    EXPECT_GE(more[i], flags[i]);
    EXPECT_LE(fewer[i], flags[i]);
  }
}

TEST(IntegerInputs, SignsChangeAndSizesStay) {
  Numbers values;
  for (std::int64_t i = 0; i < 64; ++i) values.push_back(i);
  const runner::TensorData data = data_of(values, {64}, DType::kInt32);
  const Numbers other = numbers_in(data, with_signs(data, 7));
  EXPECT_NE(other, values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::abs(other[i]), values[i]);
  const runner::TensorData unsigned_data = data_of(values, {64}, DType::kUInt8);
  EXPECT_EQ(with_signs(unsigned_data, 7), unsigned_data.bytes);
}

TEST(IntegerInputs, FloatsAreNoneOfThem) {
  const auto program = program::read_program(base::read_file(source_path("tests/judge/rules/programs/relu_task.json")));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(only_computed_with(program.value()), std::vector<bool>{false});
}

}  // namespace
}  // namespace tritonrl::judge
