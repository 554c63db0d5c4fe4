#include "abstract/constant_arithmetic.h"

#include <gtest/gtest.h>

#include <limits>

namespace tritonrl::abstract {
namespace {

std::int64_t whole(const char* op, std::int64_t a, std::int64_t b) {
  const auto result = arithmetic(op, Value::whole(a), Value::whole(b));
  EXPECT_TRUE(result.has_value() && result->is(ValueKind::kInt)) << op;
  return result.has_value() ? result->integer : 0;
}

TEST(ConstantArithmetic, RoundsDownAsPythonDoes) {
  EXPECT_EQ(whole("FloorDiv", -7, 2), -4);
  EXPECT_EQ(whole("Mod", -7, 2), 1);
  EXPECT_EQ(whole("Mod", 7, -2), -1);
  EXPECT_EQ(whole("Pow", 2, 10), 1024);
  EXPECT_EQ(arithmetic("Div", Value::whole(1), Value::whole(2))->number, 0.5);
}

TEST(ConstantArithmetic, GivesNothingWhereItDoesNotFit) {
  const Value least = Value::whole(std::numeric_limits<std::int64_t>::min());
  for (const char* const op : {"FloorDiv", "Mod"}) {
    EXPECT_FALSE(arithmetic(op, least, Value::whole(-1)).has_value());
    EXPECT_FALSE(arithmetic(op, Value::whole(1), Value::whole(0)).has_value());
  }
  EXPECT_FALSE(arithmetic("Sub", least, Value::whole(1)).has_value());
  EXPECT_FALSE(arithmetic("Pow", Value::whole(10), Value::whole(100)).has_value());
  EXPECT_FALSE(arithmetic("Pow", Value::whole(2), Value::whole(-1)).has_value());
  EXPECT_FALSE(arithmetic("Div", Value::real(1), Value::real(0)).has_value());
  EXPECT_FALSE(arithmetic("Add", Value::words("a"), Value::whole(1)).has_value());
  EXPECT_FALSE(arithmetic("LShift", Value::whole(1), Value::whole(63)).has_value());
}

TEST(ConstantArithmetic, ComparesWhatItKnows) {
  EXPECT_EQ(comparison("Eq", Value::whole(1), Value::real(1)), true);
  EXPECT_EQ(comparison("Is", Value::tensor(), Value::none()), false);
  EXPECT_EQ(comparison("IsNot", Value::none(), Value::none()), false);
  EXPECT_EQ(comparison("Is", Value::plain(), Value::none()), std::nullopt);
  EXPECT_EQ(comparison("Lt", Value::whole(1), Value::plain()), std::nullopt);
  List list{.items = {Value::whole(1), Value::plain()}, .open = false};
  const Value items{.kind = ValueKind::kList, .list = &list};
  EXPECT_EQ(comparison("In", Value::whole(1), items), true);
  EXPECT_EQ(comparison("In", Value::whole(2), items), std::nullopt);
  list.items.pop_back();
  EXPECT_EQ(comparison("NotIn", Value::whole(2), items), true);
}

}  // namespace
}  // namespace tritonrl::abstract
