#include "data/rows/file_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace tritonrl::data {
namespace {

TEST(FileKind, KnowsOursByTheirFirstBytes) {
  EXPECT_EQ(kind_of_file("PAR1\x15").kind, FileKind::kParquet);
  for (const char* text : {"[", "{", " \n\t[{", "\xEF\xBB\xBF{}", "\xEF\xBB\xBF\n[]"}) {
    EXPECT_EQ(kind_of_file(text).kind, FileKind::kJson) << text;
  }
  for (const char* text : {"", " \n", "\xEF\xBB\xBF"}) EXPECT_EQ(kind_of_file(text).kind, FileKind::kEmpty) << text;
}

TEST(FileKind, SaysWhatToDoWithOthers) {
  EXPECT_EQ(kind_of_file("\x1F\x8B\x08").complaint, "is compressed by gzip; unpack it first");
  EXPECT_EQ(kind_of_file("PK\x03\x04").complaint, "is a zip archive; unpack it first");
  EXPECT_NE(kind_of_file("version https://git-lfs.github.com/spec/v1\n").complaint.find("git lfs pull"),
            std::string::npos);
  for (const char* text : {"a,b,c\n1,2,3\n", "<html>", "\x89PNG"}) {
    const FileKindFound found = kind_of_file(text);
    EXPECT_EQ(found.kind, FileKind::kOther);
    EXPECT_NE(found.complaint.find("expected a parquet file, a JSON array of objects or JSON lines"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tritonrl::data
