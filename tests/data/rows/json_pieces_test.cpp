#include "data/rows/json_pieces.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tritonrl::data {
namespace {

// One word a piece: what it is, its line and its text.
std::string cut(const std::string& text, JsonPieceOptions options = {}, std::size_t step = 1 << 20) {
  JsonPieces pieces(memory_source(text, step), options);
  std::string out;
  while (const auto piece = pieces.next()) {
    const char* const names[] = {"object", "other", "too_long", "broken", "unreadable"};
    if (!out.empty()) out += " | ";
    out += std::string(names[static_cast<int>(piece->kind)]) + "@" + std::to_string(piece->line);
    if (!piece->text.empty()) out += " " + std::string(piece->text);
  }
  return out;
}

// The same whatever the sizes of buffers and reads.
std::string cut_every_way(const std::string& text) {
  const std::string out = cut(text);
  for (const std::size_t read : {1, 2, 3, 5, 16}) {
    for (const std::size_t step : {1, 4, 100}) {
      EXPECT_EQ(cut(text, {.max_object_bytes = std::size_t{1} << 20, .read_bytes = read}, step), out)
          << read << " " << step;
    }
  }
  return out;
}

TEST(JsonPieces, CutsLines) {
  EXPECT_EQ(cut_every_way("{\"a\":1}\n{\"b\":\"}\\\"{\"}\r\n\n {} \n"),
            "object@1 {\"a\":1} | object@2 {\"b\":\"}\\\"{\"} | object@4 {}");
  EXPECT_EQ(cut_every_way("\xEF\xBB\xBF{}{} {}"), "object@1 {} | object@1 {} | object@1 {}");
  // files that were joined
  EXPECT_EQ(cut_every_way("\xEF\xBB\xBF{}\n\xEF\xBB\xBF{}\n\xEF\xBB\xBF"), "object@1 {} | object@2 {}");
}

TEST(JsonPieces, CutsObjectsOverSeveralLines) {
  EXPECT_EQ(cut_every_way("{\n \"a\": {\n  }\n}\n{\n \"b\": [\n ]\n}\n"),
            "object@1 {\n \"a\": {\n  }\n} | object@5 {\n \"b\": [\n ]\n}");
}

TEST(JsonPieces, CutsArrays) {
  EXPECT_EQ(cut_every_way("[]"), "");
  EXPECT_EQ(cut_every_way(" [ {\"a\":[{}]} ,\n{}\n]\n"), "object@1 {\"a\":[{}]} | object@2 {}");
  EXPECT_EQ(cut_every_way("[1, \"a,]\", [2,{}], null, {}]"),
            "other@1 1 | other@1 \"a,]\" | other@1 [2,{}] | other@1 null | object@1 {}");
}

TEST(JsonPieces, ABrokenLineEndsWithItsLine) {
  EXPECT_EQ(cut_every_way("{}\n{\"a\": \n{\"b\":1}\n"), "object@1 {} | broken@2 | object@3 {\"b\":1}");
  EXPECT_EQ(cut_every_way("{}\n{\"a\": \"x\ny\"}\n  {}\n"), "object@1 {} | broken@2 | object@4 {}");
  EXPECT_EQ(cut_every_way("{\"a\": [\n{}\n{}"), "broken@1 | object@2 {} | object@3 {}");
  EXPECT_EQ(cut_every_way("{}\n{\"a\":"), "object@1 {} | broken@2");
  EXPECT_EQ(cut_every_way("{}\n{\"a\\"), "object@1 {} | broken@2");
}

TEST(JsonPieces, ABrokenObjectOverSeveralLinesEndsBeforeTheNext) {
  EXPECT_EQ(cut_every_way("{\n \"a\": 1\n}\n{\n \"b\": [\n}\n{\n}\n"),
            "object@1 {\n \"a\": 1\n} | broken@4 | object@7 {\n}");
}

TEST(JsonPieces, OtherLinesStandForThemselves) {
  EXPECT_EQ(cut_every_way("{}\n12\n\"a\"\nabc {}\n{}\n"),
            "object@1 {} | other@2 12 | other@3 \"a\" | other@4 abc {} | object@5 {}");
}

TEST(JsonPieces, ArraysAreFollowedWhileBracketsAllow) {
  EXPECT_EQ(cut_every_way("[{\"a\":1"), "unreadable@1");
  EXPECT_EQ(cut_every_way("[{}"), "object@1 {} | unreadable@1");
  EXPECT_EQ(cut_every_way("[{},"), "object@1 {} | unreadable@1");
  EXPECT_EQ(cut_every_way("[{}}, {}]"), "object@1 {} | unreadable@1");
  EXPECT_EQ(cut_every_way("[{} abc {}]"), "object@1 {} | other@1 abc  | object@1 {}");
  EXPECT_EQ(cut_every_way("[{}]\n[{}]"), "object@1 {} | unreadable@2");
  EXPECT_EQ(cut_every_way("[{\"a\": \"x\ny\"}, {}]"), "object@1 {\"a\": \"x\ny\"} | object@2 {}");
}

TEST(JsonPieces, ObjectsBeyondTheLimitAreLeftOut) {
  const std::string text = "{\"a\":\"" + std::string(100, 'x') + "\"}\n{\"b\":2}\n";
  for (const std::size_t read : {1, 7, 64, 1000}) {
    EXPECT_EQ(cut(text, {.max_object_bytes = 50, .read_bytes = read}), "too_long@1 | object@2 {\"b\":2}") << read;
    EXPECT_EQ(
        cut("[" + text.substr(0, 108) + "," + text.substr(109) + "]", {.max_object_bytes = 50, .read_bytes = read}),
        "too_long@1 | object@1 {\"b\":2}");
    EXPECT_EQ(cut(text, {.max_object_bytes = 108, .read_bytes = read}).substr(0, 9), "object@1 ") << read;
    EXPECT_EQ(cut(text, {.max_object_bytes = 107, .read_bytes = read}).substr(0, 10), "too_long@1") << read;
  }
}

TEST(JsonPieces, CountsWhatIsConsumed) {
  JsonPieces pieces(memory_source("{}\n{\"a\":1}\n"), {});
  pieces.next();
  EXPECT_EQ(pieces.consumed(), 2);
  pieces.next();
  EXPECT_EQ(pieces.consumed(), 10);
  EXPECT_FALSE(pieces.next());
  EXPECT_FALSE(pieces.next());
}

}  // namespace
}  // namespace tritonrl::data
