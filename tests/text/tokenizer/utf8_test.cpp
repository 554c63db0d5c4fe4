#include "text/tokenizer/utf8.h"

#include <gtest/gtest.h>

namespace tritonrl::text {
namespace {

TEST(Utf8, ReplacesAsPythonDoes) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(replace_invalid_utf8("abc"), "abc");
  EXPECT_EQ(replace_invalid_utf8("\xFF"), r);
  EXPECT_EQ(replace_invalid_utf8("a\x80\x80z"), "a" + r + r + "z");
  EXPECT_EQ(replace_invalid_utf8("\xE2\x82"), r);  // one for a beginning that is cut off
  EXPECT_EQ(replace_invalid_utf8("\xE2\x82 "), r + " ");
  EXPECT_EQ(replace_invalid_utf8("\xF0\x9F\x98"), r);
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80"), r + r + r);          // a surrogate
  EXPECT_EQ(replace_invalid_utf8("\xC0\xAF"), r + r);                  // overlong
  EXPECT_EQ(replace_invalid_utf8("\xF4\x90\x80\x80"), r + r + r + r);  // beyond Unicode
  EXPECT_EQ(replace_invalid_utf8("\xE0\x80\x80"), r + r + r);
}

TEST(Utf8, EveryCodePointThereAndBack) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    ASSERT_TRUE(is_valid_utf8(text));
    const CodePoint back = decode_valid_utf8(text.data());
    ASSERT_EQ(back.value, c);
    ASSERT_EQ(static_cast<std::size_t>(back.length), text.size());
    ASSERT_FALSE(is_valid_utf8("ascii before " + text.substr(0, text.size() - 1) + (c < 0x80 ? "\xFF" : "")));
  }
}

TEST(Utf8, SkipsAscii) {
  EXPECT_EQ(skip_ascii(""), 0u);
  EXPECT_EQ(skip_ascii("0123456789"), 10u);
  EXPECT_EQ(skip_ascii("0123456789\xC3\xA9 and more text"), 10u);
  EXPECT_EQ(skip_ascii("01234567\xC3\xA9"), 8u);
}

}  // namespace
}  // namespace tritonrl::text
