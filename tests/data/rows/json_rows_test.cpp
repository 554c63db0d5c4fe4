#include "data/rows/json_rows.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/data/rows/read_all.h"

namespace tritonrl::data {
namespace {

TEST(JsonRows, NumbersLinesByLineAndElementsByIndex) {
  EXPECT_EQ(outline(read_json("{}\n\n{}\n{}")), "1 3 4");
  EXPECT_EQ(outline(read_json("[{},\n\n{},{}]")), "1 2 3");
}

TEST(JsonRows, NamesEveryReason) {
  const RowOptions options{.columns = {}, .max_text_bytes = 10, .max_object_bytes = 60};
  const std::string text =
      "{\"x\": 1}\n"
      "[1]\n"
      "{\"x\": 1\n"
      "{\"x\": \"\xFF\"}\n"
      "{\"x\": \"\\ud800\"}\n"
      "{\"x\": \"12345678901\"}\n"
      "{\"x\": [[\"" +
      std::string(80, '1') +
      "\"]]}\n"
      "{\"x\": {}}\n"
      "{\"x\": NaN}\n"
      "x\n"
      "{\"x\": 2}\n"
      "{\"x\": 3";
  EXPECT_EQ(
      outline(read_json(text, options)),
      "1 2:not_an_object 3:not_json 4:not_utf8 5:not_utf8 6:too_long 7:too_long 8:wrong_type 9:not_json 10:not_json 11 "
      "12:not_json");
}

TEST(JsonRows, SaysWhereInTheFile) {
  const auto results = read_json("{\"x\": 1}\n{\"x\": 01}\n");
  EXPECT_EQ(results.at(1).problem.message, "line 2, byte 17: expected a comma or a closing brace");
  EXPECT_EQ(results.at(1).number, 2);
}

TEST(JsonRows, ABadElementCostsNoOther) {
  EXPECT_EQ(outline(read_json("[{\"x\": tru}, {\"x\": 1}, 7, {\"x\": \"\xFF\"}, {}]")),
            "1:not_json 2 3:not_an_object 4:not_utf8 5");
  EXPECT_EQ(outline(read_json("[{}, {\"x\": 1")), "1 2:unreadable");
}

TEST(JsonRows, SkipsAsNextWouldHaveGiven) {
  const std::string lines = "{\"x\": 1}\n{\"x\": \n[1]\n{\"x\": \"\xFF\"}\nx\n{\"x\": tru}\n{\"x\": 2}\n";
  std::string array = "[{\"x\": 1}, {\"x\": tru}, 7, {\"x\": 2}, {\"x\": 3}]";
  for (const std::string& text : {lines, array}) {
    const auto all = read_json(text);
    for (std::size_t skip = 0; skip <= all.size() + 1; ++skip) {
      const auto rest = read_json(text, {}, {.skip = static_cast<std::int64_t>(skip)});
      const std::size_t from = std::min(skip, all.size());
      EXPECT_EQ(outline(rest), outline({all.begin() + static_cast<std::ptrdiff_t>(from), all.end()})) << skip;
    }
  }
}

TEST(JsonRows, ObjectsMayCrossBuffersAnywhere) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "{\"number\": " + std::to_string(i) + ", \"code\": \"" +
            std::string(static_cast<std::size_t>(i * 997), 'c') + "\\n\u00e4\"}\n";
  }
  const auto all = read_json(text);
  ASSERT_EQ(all.size(), 40u);
  for (const std::size_t read : {1u, 64u, 4096u, 262144u}) {
    for (const std::size_t step : {1u, 1000u, 1u << 20}) {
      const auto again = read_json(text, {}, {.step = step, .read_bytes = read});
      ASSERT_EQ(again.size(), all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(again[i].row);
        EXPECT_EQ(*again[i].row, *all[i].row);
        EXPECT_EQ(again[i].bytes, all[i].bytes);
      }
    }
  }
}

TEST(JsonRows, TenMegabytesOfTextSpoilOneRow) {
  const std::string text = "{\"x\": \"a\"}\n{\"x\": \"" + std::string(10 << 20, 'b') + "\"}\n{\"x\": \"c\"}\n";
  const auto results = read_json(text);
  EXPECT_EQ(outline(results), "1 2:too_long 3");
  EXPECT_EQ(results.at(1).problem.message, "column \"x\": 10485760 bytes, at most 1048576 are allowed");
}

TEST(JsonRows, RefusesWholeColumns) {
  const auto refused = [](const std::string& text, const RowOptions& options) {
    try {
      read_json(text, options);
    } catch (const base::UserError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const std::string pandas = "{\"code\": {\"0\": \"a\", \"1\": \"b\"}}";
  EXPECT_NE(refused(pandas, {}).find("holds whole columns"), std::string::npos);
  EXPECT_NE(refused(pandas, {}).find("orient=\"records\""), std::string::npos);
  std::string lists = "{\"code\": [";
  for (int i = 0; i < 100; ++i) lists += "\"a\", ";
  lists += "\"b\"]}";
  EXPECT_NE(refused(lists, {.columns = {}, .max_object_bytes = 200}).find("holds whole columns"), std::string::npos);
  EXPECT_EQ(refused("{\"licenses\": [\"MIT\"], \"x\": 1}", {}), "read");
  EXPECT_EQ(refused("{\"x\": \"" + std::string(300, 'a') + "\"}", {.columns = {}, .max_object_bytes = 200}), "read");
}

}  // namespace
}  // namespace tritonrl::data
