#include "record/task.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::record {
namespace {

namespace fs = std::filesystem;

class ReadTask : public ::testing::Test {
 protected:
  ReadTask() { fs::create_directories(folder_); }
  ~ReadTask() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, std::string_view text) const {
    base::write_file_atomically(folder_ / name, text);
    return folder_ / name;
  }
  static std::string error_of(const fs::path& path) {
    try {
      read_task(path);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "no error";
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("tritonrl_task_" + std::to_string(::getpid()));
};

TEST_F(ReadTask, GivesNameAndSourceAsTheyAre) {
  const std::string source = "\xef\xbb\xbfimport torch\r\n\tx = '\xff\0'\n";
  const Task task = read_task(file("softmax_1.py", source));
  EXPECT_EQ(task.id, "softmax_1.py");
  EXPECT_EQ(task.source, source);
  EXPECT_EQ(task.entry_point, "");
}

TEST_F(ReadTask, AMissingFileIsNamed) {
  const fs::path path = folder_ / "none.py";
  EXPECT_EQ(error_of(path), "[files] " + path.string() + ": No such file or directory; check the path");
}

TEST_F(ReadTask, ADirectoryIsNoTask) {
  EXPECT_EQ(error_of(folder_), "[files] " + folder_.string() + ": is a directory; name a file inside it");
}

TEST_F(ReadTask, AnEmptyFileSaysWhatATaskDefines) {
  for (const char* text : {"", "\n", " \t\r\n\n"}) {
    const fs::path path = file("a.py", text);
    EXPECT_EQ(error_of(path),
              "[task] " + path.string() + ": is empty; a task defines Model, get_inputs() and get_init_inputs()");
  }
}

TEST_F(ReadTask, SixteenMebibytesAndNoMore) {
  std::string source(std::size_t{16} << 20, '#');
  EXPECT_EQ(error_of(file("a.py", source)), "no error");
  EXPECT_NE(error_of(file("a.py", source + "#")).find("a.py: longer than 16777216 bytes"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::record
