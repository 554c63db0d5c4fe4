#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"
#include "tests/data/rows/read_all.h"

namespace tritonrl::data {
namespace {

std::string complaint(const std::string& path) {
  try {
    open_rows(path, {});
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "opened";
}

void expect_same_rows(const std::vector<RowResult>& a, const std::vector<RowResult>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(a[i].row && b[i].row) << what << " " << a[i].problem.message << b[i].problem.message;
    EXPECT_EQ(*a[i].row, *b[i].row) << what << ", row " << i + 1;
    EXPECT_EQ(a[i].number, b[i].number) << what;
  }
}

TEST(OpenRows, EveryFormatGivesTheSameRows) {
  for (const RowOptions& options :
       {RowOptions{}, RowOptions{.columns = {"python_code", "licenses", "stars", "absent"}}}) {
    const auto lines = read_golden("rows.jsonl", options);
    ASSERT_EQ(lines.size(), 8u);
    ASSERT_TRUE(lines[0].row);
    EXPECT_EQ(lines[0].row->fields.size(), options.columns.empty() ? 12u : 3u);
    expect_same_rows(read_golden("rows.json", options), lines, "rows.json");
    if (!reads_parquet()) continue;
    for (const char* name : {"zstd", "snappy", "gzip", "brotli", "lz4", "none"}) {
      expect_same_rows(read_golden("rows_" + std::string(name) + ".parquet", options), lines, name);
    }
    expect_same_rows(read_golden("groups.parquet", options), lines, "groups.parquet");
  }
}

TEST(OpenRows, ComplainsAboutWhatIsNoFileOfOurs) {
  const base::ScratchFolder folder;
  EXPECT_EQ(complaint(folder.path("none")), "[data] " + folder.path("none") + " does not exist");
  EXPECT_NE(complaint(folder.path()).find("is a folder"), std::string::npos);
  base::write_file_atomically(folder.path("empty"), "");
  EXPECT_EQ(complaint(folder.path("empty")), "[data] " + folder.path("empty") + " is empty");
  base::write_file_atomically(folder.path("csv"), "a,b\n");
  EXPECT_NE(complaint(folder.path("csv")).find("expected a parquet file"), std::string::npos);
  base::write_file_atomically(folder.path("columns.json"), "{\"a\": {\"0\": 1}}");
  EXPECT_NE(complaint(folder.path("columns.json")).find("whole columns"), std::string::npos);
}

TEST(OpenRows, GoesByContentNotByName) {
  const base::ScratchFolder folder;
  base::write_file_atomically(folder.path("rows.parquet"), "{\"a\": 1}\n");
  EXPECT_EQ(outline(read_all(*open_rows(folder.path("rows.parquet"), {}))), "1");
}

TEST(OpenRows, BytesReachTheFilesSize) {
  const auto results = read_golden("rows.jsonl");
  EXPECT_EQ(results.back().bytes + 1, static_cast<std::int64_t>(std::filesystem::file_size(golden("rows.jsonl"))));
  EXPECT_FALSE(open_rows(golden("rows.jsonl"), {})->total());
}

}  // namespace
}  // namespace tritonrl::data
