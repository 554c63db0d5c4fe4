#include "sandbox/scratch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::sandbox {
namespace {

namespace fs = std::filesystem;

class ScratchTest : public ::testing::Test {
 protected:
  ~ScratchTest() override { remove_scratch(folder_); }
  const std::string folder_ = make_scratch("/var/tmp");
};

TEST_F(ScratchTest, IsPrivateAndRemoved) {
  EXPECT_EQ(fs::status(folder_).permissions(), fs::perms::owner_all);
  fs::create_directories(folder_ + "/a/b/c");
  std::ofstream(folder_ + "/a/b/file") << "x";
  fs::create_symlink("/", folder_ + "/a/root");
  fs::permissions(folder_ + "/a/b", fs::perms::none);
  EXPECT_TRUE(remove_scratch(folder_));
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_THROW(make_scratch("/var/tmp/no/such/place"), base::InfrastructureError);
}

TEST_F(ScratchTest, OfAnyDepthIsRemoved) {
  base::UniqueFd at(open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  for (int depth = 0; depth < 2000; ++depth) {
    ASSERT_EQ(mkdirat(at.get(), "a folder", 0700), 0);
    ASSERT_GE(openat(at.get(), "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0), 0);
    at.reset(openat(at.get(), "a folder", O_RDONLY | O_DIRECTORY));
    closefrom(at.get() + 1);
  }
  Policy policy;
  policy.scratch_files = 1'000'000;
  EXPECT_TRUE(scratch_exceeded(folder_, policy).has_value());
  EXPECT_TRUE(remove_scratch(folder_));
}

TEST_F(ScratchTest, FollowsNoLink) {
  const std::string outside = make_scratch("/var/tmp");
  std::ofstream(outside + "/file") << "x";
  fs::permissions(outside, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::owner_write);
  fs::create_directory(folder_ + "/a");
  fs::create_directory_symlink(outside, folder_ + "/a/link");
  fs::create_directory_symlink(outside, folder_ + "/link");
  Policy policy;
  policy.scratch_files = 3;
  EXPECT_EQ(scratch_exceeded(folder_, policy), std::nullopt);
  EXPECT_TRUE(remove_scratch(folder_));
  EXPECT_TRUE(fs::exists(outside + "/file"));
  remove_scratch(outside);
}

TEST_F(ScratchTest, CountsBytesAndFiles) {
  Policy policy;
  policy.scratch_bytes = 1 << 20;
  policy.scratch_files = 10;
  EXPECT_EQ(scratch_exceeded(folder_, policy), std::nullopt);
  fs::create_directory(folder_ + "/a");
  std::ofstream(folder_ + "/a/file") << std::string(2 << 20, 'x');
  EXPECT_TRUE(scratch_exceeded(folder_, policy)->find("bytes") != std::string::npos);
  std::ofstream(folder_ + "/a/file") << "";
  for (int i = 0; i < 10; ++i) std::ofstream(folder_ + "/" + std::to_string(i)) << "";
  EXPECT_TRUE(scratch_exceeded(folder_, policy)->find("files") != std::string::npos);
}

TEST_F(ScratchTest, FindsUnlinkedFiles) {
  const base::UniqueFd proc(open("/proc", O_RDONLY | O_DIRECTORY));
  const std::string name = folder_ + "/file";
  const base::UniqueFd file(open(name.c_str(), O_CREAT | O_RDWR, 0600));
  EXPECT_FALSE(holds_unlinked(proc.get(), getpid(), folder_));
  unlink(name.c_str());
  EXPECT_TRUE(holds_unlinked(proc.get(), getpid(), folder_));
  EXPECT_FALSE(holds_unlinked(proc.get(), getpid(), folder_ + "/other"));
  EXPECT_GT(free_bytes(folder_), 0);
}

}  // namespace
}  // namespace tritonrl::sandbox
