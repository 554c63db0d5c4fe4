#include "judge/integer_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

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
  const Numbers offsets = {0, 5, 9, 20}, labels = {3, 1, 2, 0, 3}, lengths = {7, 7, 7, 7}, few = {0, 1};
  for (const Numbers& one : {offsets, labels, lengths, few})
    EXPECT_EQ(anew(data_of(one, {static_cast<std::int64_t>(one.size())})), one);
  const Numbers zeros = anew(data_of(Numbers(64, 0), {64}));
  EXPECT_GT(std::count(zeros.begin(), zeros.end(), 1), 0);
  EXPECT_GT(std::count(zeros.begin(), zeros.end(), 0), 0);
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
