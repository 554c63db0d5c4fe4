#include "data/rows/parquet_rows.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/data/rows/read_all.h"

namespace tritonrl::data {
namespace {

class ParquetRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_parquet()) GTEST_SKIP() << "built without pyarrow";
  }
};

TEST_F(ParquetRowsTest, ReadsEveryTypeAsJsonWould) {
  const auto parquet = read_golden("types.parquet"), lines = read_golden("types.jsonl");
  ASSERT_EQ(parquet.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(parquet[i].row) << parquet[i].problem.message;
    ASSERT_TRUE(lines[i].row) << lines[i].problem.message;
    for (const auto& [name, field] : lines[i].row->fields) EXPECT_EQ(parquet[i].row->fields.at(name), field) << name;
    EXPECT_EQ(parquet[i].row->fields.size(), lines[i].row->fields.size());
  }
  EXPECT_EQ(parquet[0].row->fields.at("uint8"), Field(std::int64_t{200}));
  EXPECT_EQ(parquet[1].row->fields.at("real"), Field(std::int64_t{3}));
  EXPECT_EQ(parquet[1].row->fields.at("choice"), Field("t\u00e4glich \U0001F600"));
}

TEST_F(ParquetRowsTest, OtherTypesSpoilARowOnlyWhereTheyAreWanted) {
  EXPECT_EQ(outline(read_golden("strange_types.parquet", {.columns = {"text"}})), "1 2 3");
  EXPECT_EQ(outline(read_golden("strange_types.parquet", {.columns = {"time"}})), "1:wrong_type 2:wrong_type 3");
  EXPECT_EQ(outline(read_golden("strange_types.parquet", {.columns = {"map"}})), "1:wrong_type 2 3:wrong_type");
  for (const char* name : {"struct", "numbers", "holes"}) {
    const RowOptions options{.columns = {name}};
    EXPECT_EQ(outline(read_golden("strange_types.parquet", options)),
              outline(read_golden("strange_types.jsonl", options)))
        << name;
  }
}

TEST_F(ParquetRowsTest, AMissingColumnIsNoProblem) {
  const auto results = read_golden("no_triton_code.parquet", {.columns = {"python_code", "triton_code"}});
  ASSERT_EQ(results.size(), 8u);
  ASSERT_TRUE(results[0].row);
  EXPECT_EQ(results[0].row->fields.count("triton_code"), 0u);
  EXPECT_EQ(results[0].row->fields.count("python_code"), 1u);
  const auto none = read_golden("groups.parquet", {.columns = {"absent"}});
  EXPECT_EQ(outline(none), "1 2 3 4 5 6 7 8");
  EXPECT_TRUE(none[0].row->fields.empty());
}

TEST_F(ParquetRowsTest, MeasuresTexts) {
  const auto results = read_golden("groups.parquet", {.columns = {"python_code"}, .max_text_bytes = 10});
  ASSERT_EQ(results.size(), 8u);
  for (const auto& result : results) EXPECT_EQ(result.problem.reason, "too_long");
  const std::string limit = "at most 10 are allowed";
  EXPECT_NE(results[0].problem.message.find(limit), std::string::npos) << results[0].problem.message;
}

TEST_F(ParquetRowsTest, DamageCostsItsRowGroup) {
  const auto results = read_golden("damaged_group.parquet");
  EXPECT_EQ(outline(results), "1 2 3 4:unreadable 7 8");
  EXPECT_EQ(results[3].rows, 3);
  EXPECT_NE(results[3].problem.message.find("row group 2 of 3, column \"triton_code\""), std::string::npos)
      << results[3].problem.message;
  const auto whole = read_golden("groups.parquet");
  EXPECT_EQ(*results[4].row, *whole[6].row);
  EXPECT_EQ(outline(read_golden("damaged_group.parquet", {.columns = {"python_code"}})), "1 2 3 4 5 6 7 8");
}

TEST_F(ParquetRowsTest, SkipsAcrossRowGroups) {
  for (const char* name : {"groups.parquet", "rows_zstd.parquet", "damaged_group.parquet"}) {
    for (const RowOptions& options : {RowOptions{}, RowOptions{.columns = {"absent"}}}) {
      const auto all = read_golden(name, options);
      std::int64_t skip = 0;
      for (std::size_t i = 0; i <= all.size(); ++i) {
        const auto reader = open_rows(golden(name), options);
        reader->skip(skip);
        const auto rest = read_all(*reader);
        EXPECT_EQ(outline(rest), outline({all.begin() + static_cast<std::ptrdiff_t>(i), all.end()}))
            << name << " " << skip;
        if (i < all.size()) skip += all[i].rows;
      }
      EXPECT_EQ(skip, 8);
      const auto reader = open_rows(golden(name), options);
      reader->skip(100);
      EXPECT_FALSE(reader->next());
    }
  }
}

TEST_F(ParquetRowsTest, SkipsInSteps) {
  const auto all = read_golden("groups.parquet");
  const auto reader = open_rows(golden("groups.parquet"), {});
  reader->skip(1);
  EXPECT_EQ(reader->next()->row, all[1].row);
  reader->skip(3);
  EXPECT_EQ(reader->next()->row, all[5].row);
}

TEST_F(ParquetRowsTest, TellsTotalAndProgress) {
  const auto reader = open_rows(golden("groups.parquet"), {});
  EXPECT_EQ(reader->total(), 8);
  const auto results = read_all(*reader);
  EXPECT_EQ(results.back().bytes, static_cast<std::int64_t>(std::filesystem::file_size(golden("groups.parquet"))));
  EXPECT_EQ(results[3].bytes, results.back().bytes / 2);
}

TEST_F(ParquetRowsTest, AFileThatIsCutOffIsRefused) {
  const std::string whole = base::read_file(golden("rows_zstd.parquet"));
  for (const std::size_t length : {std::size_t{4}, std::size_t{11}, whole.size() / 2, whole.size() - 1}) {
    try {
      parquet_rows_in_memory(std::string_view(whole).substr(0, length), "cut.parquet", {});
      ADD_FAILURE() << length;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("cut.parquet is cut off or no parquet file"), std::string::npos)
          << error.what();
      EXPECT_NE(std::string(error.what()).find("again"), std::string::npos);
    }
  }
}

TEST(NoParquet, SaysHowToGetIt) {
  if (reads_parquet()) GTEST_SKIP() << "this build reads parquet";
  try {
    open_rows(golden("rows_zstd.parquet"), {});
    ADD_FAILURE();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("pip install pyarrow"), std::string::npos);
  }
}

}  // namespace
}  // namespace tritonrl::data
