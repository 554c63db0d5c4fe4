#include "generate/stop_matcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tritonrl::generate {
namespace {

TEST(StopMatcher, FindsWhatIsCutIntoParts) {
  StopMatcher matcher({"</code>"});
  EXPECT_EQ(matcher.add("x = 1 <"), "x = 1 ");
  EXPECT_EQ(matcher.add("/co"), "");
  EXPECT_EQ(matcher.add("de> and more"), "");
  EXPECT_TRUE(matcher.stopped());
  EXPECT_EQ(matcher.add("later"), "");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, GivesBackWhatWasNone) {
  StopMatcher matcher({"</code>"});
  EXPECT_EQ(matcher.add("a </cod"), "a ");
  EXPECT_EQ(matcher.add("a>"), "</coda>");
  EXPECT_EQ(matcher.add("</"), "");
  EXPECT_EQ(matcher.finish(), "</");
  EXPECT_FALSE(matcher.stopped());
}

TEST(StopMatcher, PassesAllWithoutStopStrings) {
  StopMatcher matcher({});
  EXPECT_EQ(matcher.add("anything"), "anything");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, TheFirstCompleteOneCounts) {
  StopMatcher matcher({"abcdX", "bc"});
  EXPECT_EQ(matcher.add("-abcdX"), "-a");
  EXPECT_TRUE(matcher.stopped());
}

TEST(StopMatcher, OverlapsWithItself) {
  StopMatcher matcher({"aab"});
  EXPECT_EQ(matcher.add("aa"), "");
  EXPECT_EQ(matcher.add("a"), "a");
  EXPECT_EQ(matcher.add("b"), "");
  EXPECT_TRUE(matcher.stopped());
}

// However the text is cut, what comes out is what looking at the whole text gives, and nothing of a stop string ever
// gets out on the way.
TEST(StopMatcher, AgreesWithTheWholeText) {
  std::mt19937 random(3);
  const auto word = [&](int longest) {
    std::string out(1 + random() % longest, 'a');
    for (char& letter : out) letter = static_cast<char>('a' + random() % 2);
    return out;
  };
  int stopped = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> stops;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) stops.push_back(word(6));
    const std::string text = word(20);
    std::string expected = text;
    for (std::size_t end = 1; end <= text.size() && expected == text; ++end) {
      for (const std::string& stop : stops) {
        if (std::string_view(text).substr(0, end).ends_with(stop))
          expected = std::min(expected, text.substr(0, end - stop.size()),
                              [](const auto& a, const auto& b) { return a.size() < b.size(); });
      }
    }
    StopMatcher matcher(stops);
    std::string seen;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 4, text.size() - at);
      seen += matcher.add(std::string_view(text).substr(at, size));
      at += size;
      ASSERT_TRUE(expected.starts_with(seen)) << text;
    }
    seen += matcher.finish();
    ASSERT_EQ(seen, expected) << text;
    ASSERT_EQ(matcher.stopped(), expected.size() < text.size());
    stopped += matcher.stopped();
  }
  EXPECT_GT(stopped, 5000);
  EXPECT_LT(stopped, 20000);
}

}  // namespace
}  // namespace tritonrl::generate
