#include "base/line_log.h"

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::base {
namespace {

TEST(LineLog, GrowsAndIsTakenUpWithoutATornLine) {
  const ScratchFolder folder;
  const std::string path = folder.path("run/log.jsonl");
  {
    LineLog log(path);
    EXPECT_TRUE(log.lines().empty());
    log.append("one");
    log.append("");
    log.append("three");
    log.sync();
  }
  write_file_atomically(path, read_file(path) + "torn");
  LineLog log(path);
  EXPECT_EQ(log.lines(), (std::vector<std::string>{"one", "", "three"}));
  EXPECT_EQ(read_file(path), "one\n\nthree\n");
  log.keep(1);
  log.append("two");
  EXPECT_EQ(read_file(path), "one\ntwo\n");
}

TEST(LineLog, HasOneWriter) {
  const ScratchFolder folder;
  const LineLog log(folder.path("log"));
  EXPECT_THROW(LineLog(folder.path("log")), UserError);
}

TEST(LineLog, SaysWhereItCannotBe) {
  const ScratchFolder folder;
  EXPECT_THROW(LineLog(folder.path()), UserError);  // a folder
  write_file_atomically(folder.path("file"), "");
  EXPECT_THROW(LineLog(folder.path("file/log")), UserError);
}

}  // namespace
}  // namespace tritonrl::base
