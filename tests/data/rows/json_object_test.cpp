#include "data/rows/json_object.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

RowResult parsed(std::string_view text, const RowOptions& options = {}) {
  RowBuilder builder(options);
  RowResult result;
  if (const auto error = parse_json_object(text, builder)) {
    result.problem = {"not_json", std::to_string(error->at) + " " + error->message};
  } else {
    builder.finish(result);
  }
  return result;
}

Field field_of(const std::string& value) {
  const RowResult result = parsed("{\"x\": " + value + "}");
  EXPECT_TRUE(result.row) << value << ": " << result.problem.message;
  return result.row ? result.row->fields.at("x") : Field();
}

std::string reason_of(const std::string& value) {
  return parsed("{\"x\": " + value + "}").problem.reason;
}

TEST(JsonObject, ReadsEveryKindOfValue) {
  EXPECT_EQ(field_of("null"), Field());
  EXPECT_EQ(field_of("true"), Field(true));
  EXPECT_EQ(field_of("false"), Field(false));
  EXPECT_EQ(field_of("-12"), Field(std::int64_t{-12}));
  EXPECT_EQ(field_of("12.0"), Field(std::int64_t{12}));
  EXPECT_EQ(field_of("1.2e1"), Field(std::int64_t{12}));
  EXPECT_EQ(field_of("0.25"), Field(0.25));
  EXPECT_EQ(field_of("9223372036854775807"), Field(std::int64_t{9223372036854775807}));
  EXPECT_EQ(field_of("9223372036854775808"), Field(9223372036854775808.0));
  EXPECT_EQ(field_of("1e-400"), Field(std::int64_t{0}));
  EXPECT_EQ(field_of("\"\""), Field(""));
  EXPECT_EQ(field_of("[]"), Field(std::vector<std::string>{}));
  EXPECT_EQ(field_of("[ \"MIT\" , \"a\\nb\" ]"), Field(std::vector<std::string>{"MIT", "a\nb"}));
}

TEST(JsonObject, DecodesEscapes) {
  EXPECT_EQ(field_of(R"("a\"\\\/\b\f\n\r\tz")"), Field("a\"\\/\b\f\n\r\tz"));
  EXPECT_EQ(field_of(R"("\u0041\u00e4\u20AC\ud83d\ude00")"), Field("A\u00e4\u20ac\U0001F600"));
  EXPECT_EQ(field_of("\"t\u00e4glich\""), Field("t\u00e4glich"));
  EXPECT_EQ(field_of(R"("\u0000")"), Field(std::string(1, '\0')));
}

TEST(JsonObject, WantsGrammarEverywhere) {
  for (const char* text : {"{",
                           "{}x",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{,}",
                           "{\"a\" 1}",
                           "{'a':1}",
                           "{\"a\":1 \"b\":2}",
                           "{\"a\":[1,]}",
                           "{\"a\":[1}",
                           "{\"a\":\"\\q\"}",
                           "{\"a\":\"\\u12g4\"}",
                           "{\"a\":\"\\u12\"}",
                           "{\"a\":\"\n\"}",
                           "{\"a\":NaN}",
                           "{\"a\":Infinity}",
                           "{\"a\":-}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":1e}",
                           "{\"a\":+1}",
                           "{\"a\":tru}",
                           "{\"a\":nul}",
                           "{\"a\":[\"b\",]}",
                           "{\"a\":\"b}"}) {
    EXPECT_EQ(parsed(text).problem.reason, "not_json") << text;
    EXPECT_EQ(parsed(text, {.columns = {"other"}}).problem.reason, "not_json") << text;
  }
}

TEST(JsonObject, SaysWhere) {
  EXPECT_EQ(parsed("{\"a\": 1, \"b\" 2}").problem.message, "13 expected a colon");
}

TEST(JsonObject, LooksAtEncodingOnlyInWhatIsWanted) {
  for (const char* bad :
       {"{\"x\": \"\xFF\", \"y\": 1}", "{\"x\": \"\\ud800\", \"y\": 1}", "{\"x\": [\"\xC3\"], \"y\": 1}",
        "{\"x\": \"\\udc00\\ud800\", \"y\": 1}", "{\"x\": \"\\ud800\\u0041\", \"y\": 1}"}) {
    EXPECT_EQ(parsed(bad).problem.reason, "not_utf8") << bad;
    EXPECT_EQ(parsed(bad).problem.message, "column \"x\": not valid UTF-8");
    const RowResult other = parsed(bad, {.columns = {"y"}});
    ASSERT_TRUE(other.row) << bad;
    EXPECT_EQ(other.row->fields.size(), 1u);
  }
  EXPECT_EQ(parsed("{\"\xFF\": 1}").problem.reason, "not_utf8");
  EXPECT_TRUE(parsed("{\"\xFF\": 1}", {.columns = {"y"}}).row);
}

TEST(JsonObject, RefusesNestedValuesOnlyWhereTheyAreWanted) {
  for (const char* value : {"{}", "{\"a\": [1]}", "[1]", "[\"a\", 1]", "[null]", "[[]]", "[{}]", "[true, \"a\"]"}) {
    EXPECT_EQ(reason_of(value), "wrong_type") << value;
    EXPECT_TRUE(parsed(std::string("{\"x\": ") + value + "}", {.columns = {"y"}}).row) << value;
  }
}

TEST(JsonObject, MeasuresTheDecodedText) {
  const RowOptions options{.columns = {}, .max_text_bytes = 3};
  EXPECT_TRUE(parsed(R"({"x": "\u0041bc"})", options).row);
  EXPECT_EQ(parsed(R"({"x": "abcd"})", options).problem.message, "column \"x\": 4 bytes, at most 3 are allowed");
  EXPECT_EQ(parsed(R"({"x": "\u20ac\n"})", options).problem.reason, "too_long");
  EXPECT_EQ(parsed(R"({"x": ["ab", "cd"]})", options).problem.reason, "too_long");
  EXPECT_TRUE(parsed(R"({"x": "abcd", "y": "abc"})", {.columns = {"y"}, .max_text_bytes = 3}).row);
}

TEST(JsonObject, TheLastOfTwoEqualKeysCounts) {
  EXPECT_EQ(parsed(R"({"x": 1, "x": {}, "x": "a"})").row->fields.at("x"), Field("a"));
  EXPECT_EQ(parsed(R"({"x": 1, "x": {}})").problem.reason, "wrong_type");
}

TEST(JsonObject, StopsAtADepth) {
  const auto nested = [](int depth) {
    return "{\"x\":" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_EQ(parsed(nested(kMaxJsonDepth - 1)).problem.reason, "wrong_type");
  EXPECT_EQ(parsed(nested(kMaxJsonDepth)).problem.reason, "not_json");
  EXPECT_EQ(parsed(nested(10'000'000)).problem.reason, "not_json");
}

TEST(JsonObject, ValuesAlone) {
  EXPECT_TRUE(is_json_value(" [1, {\"a\": null}] "));
  EXPECT_TRUE(is_json_value("\"a\""));
  EXPECT_FALSE(is_json_value(""));
  EXPECT_FALSE(is_json_value("1 2"));
  EXPECT_FALSE(is_json_value("abc"));
}

}  // namespace
}  // namespace tritonrl::data
