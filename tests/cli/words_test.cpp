// What is shown of words: those that were misspelt, those that do not fit a line, those that are no text.
#include <gtest/gtest.h>

#include "cli/nearest_name.h"
#include "cli/terminal_text.h"
#include "cli/wrapped_help.h"

namespace tritonrl::cli {
namespace {

TEST(NearestName, IsTheOneThatWasMeant) {
  const std::vector<std::string> verbs = {"prepare", "record", "run", "verify", "extract", "generate", "merge"};
  const struct {
    const char *written, *meant;
  } cases[] = {
      {"verfy", "verify"}, {"vreify", "verify"},    {"veriffy", "verify"}, {"gen", "generate"}, {"rnu", "run"},
      {"Merge", "merge"},  {"generat", "generate"}, {"paint", ""},         {"x", ""},           {"", ""},
  };
  for (const auto& [written, meant] : cases) EXPECT_EQ(nearest_name(written, verbs), meant) << written;
  const std::vector<std::string> options = {"--num-samples", "--seed", "--out"};
  EXPECT_EQ(nearest_name("--num_sample", options), "--num-samples");
  EXPECT_EQ(nearest_name("-sed", options), "--seed");
  EXPECT_EQ(nearest_name("--nonsense", options), "");
  EXPECT_EQ(did_you_mean("--sed", options), "; did you mean --seed?");
  EXPECT_EQ(did_you_mean("--nonsense", options), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'x'), options), "");
}

TEST(Wrapped, CutsBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 7, 2, 0), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 9, 2, 4), "one\n  two\n  three");
  EXPECT_EQ(wrapped("aaa,bbb,ccc d", 8, 0, 0), "aaa,bbb,\nccc d");
  EXPECT_EQ(wrapped("a averylongword b", 6, 1, 0), "a\n averylongword\n b");
  EXPECT_EQ(wrapped("one\ntwo", 20, 1, 0), "one\n two");
  EXPECT_EQ(wrapped("", 20, 1, 0), "");
}

TEST(TerminalText, ShowsNothingThatATerminalObeys) {
  for (const char* text : {"plain\n\ttext", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", ""}) {
    EXPECT_FALSE(is_binary(text)) << text;
    EXPECT_EQ(without_binary(text), text);
  }
  const std::string mark = "\xEF\xBF\xBD";
  for (const std::string& bad : {std::string("\x1b"), std::string("\r"), std::string(1, '\0'), std::string("\x7f"),
                                 std::string("\xC2\x9B"), std::string("\xff"), std::string("\xE2\x82")}) {
    EXPECT_TRUE(is_binary("a" + bad + "b")) << bad;
    EXPECT_EQ(without_binary("a" + bad + "b"), "a" + mark + "b");
  }
}

}  // namespace
}  // namespace tritonrl::cli
