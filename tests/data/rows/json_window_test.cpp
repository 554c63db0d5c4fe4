#include "data/rows/json_window.h"

#include <gtest/gtest.h>

#include <string>

namespace tritonrl::data {
namespace {

TEST(JsonWindow, KeepsWhatIsMarkedAndCountsBytes) {
  const std::string text = "0123456789abcdefghij";
  for (const std::size_t step : {1, 3, 100}) {
    for (const std::size_t read : {1, 2, 7, 64}) {
      JsonWindow window(memory_source(text, step), read);
      for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(window.peek(), text[static_cast<std::size_t>(i)]);
        window.advance();
      }
      window.mark();
      EXPECT_EQ(window.peek(), '5');
      EXPECT_EQ(window.peek_after(), '6');
      for (int i = 0; i < 12; ++i) {
        ASSERT_GE(window.peek(), 0);
        window.advance();
      }
      EXPECT_EQ(window.marked(), "56789abcdefg");
      EXPECT_EQ(window.offset(), 17);
      window.advance(window.ahead().size());
      while (window.peek() >= 0) window.advance();
      EXPECT_EQ(window.offset(), 20);
      EXPECT_EQ(window.marked(), "56789abcdefghij");
      EXPECT_EQ(window.ahead(), "");
    }
  }
}

TEST(JsonWindow, HeadIsAsLongAsAskedWhateverTheSourceGives) {
  for (const std::size_t read : {1, 3, 100}) {
    JsonWindow window(memory_source("abcdefgh", 1), read);
    EXPECT_EQ(window.head(5), "abcde");
    EXPECT_EQ(window.offset(), 0);
    window.advance(2);
    EXPECT_EQ(window.head(100), "cdefgh");
  }
}

}  // namespace
}  // namespace tritonrl::data
