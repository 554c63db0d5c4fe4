#include "data/rows/row_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tritonrl::data {
namespace {

RowResult built(RowBuilder& builder) {
  RowResult result;
  builder.finish(result);
  return result;
}

TEST(RowBuilder, MakesOneIntegerOfEveryKindOfNumber) {
  RowBuilder builder({});
  builder.set_number("a", 12.0);
  builder.set_integer("b", 12);
  builder.set_unsigned("c", 12);
  builder.set_number("d", -0.0);
  const RowResult result = built(builder);
  ASSERT_TRUE(result.row);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(result.row->fields.at(name), Field(std::int64_t{12})) << name;
  EXPECT_EQ(result.row->fields.at("d"), Field(std::int64_t{0}));
}

TEST(RowBuilder, KeepsDoublesThatAreNoInteger) {
  RowBuilder builder({});
  builder.set_number("half", 0.5);
  builder.set_number("far", 9223372036854775808.0);
  builder.set_number("least", -9223372036854775808.0);
  builder.set_unsigned("unsigned", std::numeric_limits<std::uint64_t>::max());
  builder.set_number("nan", std::nan(""));
  builder.set_number("infinite", HUGE_VAL);
  const RowResult result = built(builder);
  ASSERT_TRUE(result.row);
  EXPECT_EQ(result.row->fields.at("half"), Field(0.5));
  EXPECT_EQ(result.row->fields.at("far"), Field(9223372036854775808.0));
  EXPECT_EQ(result.row->fields.at("least"), Field(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(result.row->fields.at("unsigned"), Field(18446744073709551616.0));
  EXPECT_EQ(result.row->fields.at("nan"), Field());
  EXPECT_EQ(result.row->fields.at("infinite"), Field(HUGE_VAL));
}

TEST(RowBuilder, NamesTheFirstSpoiltColumnByName) {
  for (const bool turned : {false, true}) {
    RowBuilder builder({.columns = {}, .max_text_bytes = 4});
    if (turned) builder.set_text("b", "\xFF");
    builder.set_text("a", "12345");
    if (!turned) builder.set_text("b", "\xFF");
    const RowResult result = built(builder);
    EXPECT_FALSE(result.row);
    EXPECT_EQ(result.problem.reason, "too_long");
    EXPECT_EQ(result.problem.message, "column \"a\": 5 bytes, at most 4 are allowed");
  }
}

TEST(RowBuilder, LengthGoesBeforeEncoding) {
  RowBuilder builder({.columns = {}, .max_text_bytes = 4});
  builder.set_text("a", "\xFF\xFF\xFF\xFF\xFF");
  EXPECT_EQ(built(builder).problem.reason, "too_long");
  builder.set_text("a", "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(built(builder).problem.reason, "not_utf8");
}

TEST(RowBuilder, TheLastOfTwoCountsAndNothingIsLeftForTheNextRow) {
  RowBuilder builder({});
  builder.set_wrong_type("a", "an object");
  builder.set_text("a", "good");
  RowResult result = built(builder);
  ASSERT_TRUE(result.row);
  EXPECT_EQ(result.row->fields.at("a"), Field("good"));
  EXPECT_TRUE(built(builder).row->fields.empty());
}

TEST(RowBuilder, ListsAreMeasuredAsAWhole) {
  RowBuilder builder({.columns = {}, .max_text_bytes = 5});
  builder.set_texts("a", {"abc", "de"});
  EXPECT_EQ(built(builder).row->fields.at("a"), Field(std::vector<std::string>{"abc", "de"}));
  builder.set_texts("a", {"abc", "def"});
  EXPECT_EQ(built(builder).problem.reason, "too_long");
  builder.set_texts("a", {"abc", "\x80"});
  EXPECT_EQ(built(builder).problem.reason, "not_utf8");
}

TEST(RowBuilder, WantsWhatIsNamedOrAll) {
  const RowBuilder some({.columns = {"b", "a"}});
  EXPECT_TRUE(some.wants("a"));
  EXPECT_TRUE(some.wants("b"));
  EXPECT_FALSE(some.wants("c"));
  EXPECT_TRUE(RowBuilder({}).wants("c"));
}

}  // namespace
}  // namespace tritonrl::data
