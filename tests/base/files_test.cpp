#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/error.h"

namespace tritonrl::base {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }

  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("tritonrl_files_" + std::to_string(::getpid()));
};

template <class Action>
std::string user_error(Action&& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Files, AnyBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) bytes += static_cast<char>(i % 251);
  write_file_atomically(folder_ / "a", bytes);
  EXPECT_EQ(read_file(folder_ / "a"), bytes);
  write_file_atomically(folder_ / "a", "");
  EXPECT_EQ(read_file(folder_ / "a"), "");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, ReadingSaysWhatIsWrongAndWithWhichFile) {
  const std::string path = (folder_ / "a").string();
  EXPECT_EQ(user_error([&] { read_file(path); }), "[files] " + path + ": No such file or directory; check the path");
  EXPECT_EQ(user_error([&] { read_file(folder_); }),
            "[files] " + folder_.string() + ": is a directory; name a file inside it");
  EXPECT_EQ(user_error([&] { read_file(path + "/b"); }).find("[files] " + path + "/b: "), 0u);
  EXPECT_NE(user_error([&] { read_file(""); }), "no error");
}

TEST_F(Files, ReadsUpToTheLimit) {
  write_file_atomically(folder_ / "a", "12345");
  EXPECT_EQ(read_file(folder_ / "a", 5), "12345");
  EXPECT_EQ(user_error([&] { read_file(folder_ / "a", 4); }),
            "[files] " + (folder_ / "a").string() + ": longer than 4 bytes");
  EXPECT_NE(user_error([&] { read_file("/dev/zero", 1 << 20); }).find("longer than 1048576 bytes"), std::string::npos);
}

TEST_F(Files, AFileThatMayNotBeReadIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write_file_atomically(folder_ / "a", "secret");
  fs::permissions(folder_ / "a", fs::perms::none);
  EXPECT_NE(user_error([&] { read_file(folder_ / "a"); }).find("Permission denied"), std::string::npos);
}

TEST_F(Files, WritingReplacesTheFileAsAWhole) {
  write_file_atomically(folder_ / "a", "old");
  std::ifstream reader(folder_ / "a");  // one who began to read goes on reading the old file
  write_file_atomically(folder_ / "a", "new text");
  std::string seen;
  EXPECT_TRUE(std::getline(reader, seen));
  EXPECT_EQ(seen, "old");
  EXPECT_EQ(read_file(folder_ / "a"), "new text");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, WhereNothingCanBeWritten) {
  const fs::path missing = folder_ / "no" / "a";
  EXPECT_EQ(user_error([&] { write_file_atomically(missing, "x"); }),
            "[files] cannot write " + missing.string() + ": No such file or directory; choose another place");
  fs::create_directories(folder_ / "full" / "inside");
  EXPECT_NE(user_error([&] { write_file_atomically(folder_ / "full", "x"); }).find("cannot write"), std::string::npos);
  EXPECT_EQ(entries(), 1u);  // nothing is left aside
}

TEST_F(Files, AFailedWriteLeavesTheOldFile) {
  write_file_atomically(folder_ / "a", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // else the kernel ends the process
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = user_error([&] { write_file_atomically(folder_ / "a", std::string(5000, 'x')); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "[files] cannot write " + (folder_ / "a").string() + ": File too large");
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1u);
}

}  // namespace
}  // namespace tritonrl::base
