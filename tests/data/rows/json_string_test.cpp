#include "data/rows/json_string.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

TEST(JsonStringReader, StopsBehindTheClosingQuote) {
  JsonText text;
  const JsonString found = read_json_string(R"("a\tb" , "c")", &text, 100);
  EXPECT_EQ(found.error, nullptr);
  EXPECT_EQ(found.length, 6u);
  EXPECT_EQ(text.bytes, "a\tb");
  EXPECT_EQ(read_json_string(R"("a\tb" , "c")", nullptr, 0).length, 6u);
}

TEST(JsonStringReader, JoinsSurrogatesAndNotesSingleOnes) {
  JsonText text;
  read_json_string(R"("\ud83d\ude00")", &text, 100);
  EXPECT_EQ(text.bytes, "\U0001F600");
  EXPECT_FALSE(text.lone_surrogate);
  for (const char* single : {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\ud83d\n")", R"("\ud83d\u0041")"}) {
    EXPECT_EQ(read_json_string(single, &text, 100).error, nullptr) << single;
    EXPECT_TRUE(text.lone_surrogate) << single;
  }
  read_json_string(R"("\ud83d\u0041")", &text, 100);
  EXPECT_EQ(text.bytes,
            "\uFFFD"
            "A");
}

TEST(JsonStringReader, CountsBeyondTheLimit) {
  JsonText text;
  const std::string long_text = "\"" + std::string(500, 'x') + "\\n\"";
  EXPECT_EQ(read_json_string(long_text, &text, 10).length, 504u);
  EXPECT_EQ(text.length, 501u);
  EXPECT_LE(text.bytes.size(), 10u);
}

TEST(JsonStringReader, NamesErrors) {
  for (const char* bad : {"\"", "\"abc", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u123g\"", "\"\n\"",
                          "\"\\ud83d\\u12\""}) {
    const JsonString found = read_json_string(bad, nullptr, 0);
    EXPECT_NE(found.error, nullptr) << bad;
    EXPECT_LE(found.length, std::string_view(bad).size()) << bad;
  }
}

}  // namespace
}  // namespace tritonrl::data
