#include "base/aside_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "base/files.h"
#include "tests/base/expectations.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::base {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

TEST(AsideFile, TakesItsPlaceOnlyWhenItIsFinished) {
  const ScratchFolder folder;
  const fs::path file = folder.path("a");
  write_file_atomically(file, "old");
  {
    AsideFile out(file);
    out.write("half");
  }
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(names_in(file.parent_path()), std::set<std::string>{"a"});
  AsideFile out(file);
  out.write("new ");
  out.write("text");
  EXPECT_EQ(read_file(file), "old");
  out.finish();
  EXPECT_EQ(read_file(file), "new text");
}

TEST(AsideFile, NothingIsLeftOfAWriterThatWasKilled) {
  const ScratchFolder folder;
  const fs::path file = folder.path("a");
  AsideFile(file).finish();
  fs::rename(file, file.string() + ".part");
  fs::resize_file(file.string() + ".part", 1000);
  write_file_atomically(file, "short");
  EXPECT_EQ(read_file(file), "short");
  EXPECT_EQ(names_in(file.parent_path()), std::set<std::string>{"a"});
}

TEST(AsideFile, WritersOfOnePlaceDoNotMix) {
  const ScratchFolder folder;
  const fs::path file = folder.path("a");
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c) {
    writers.emplace_back([&file, c] {
      for (std::size_t i = 0; i < 50; ++i) write_file_atomically(file, std::string(1 + 37 * i, c));
    });
  }
  bool whole = true;
  for (int i = 0; i < 200; ++i) {
    if (!fs::exists(file)) continue;
    const std::string seen = read_file(file);
    whole = whole && !seen.empty() && seen.find_first_not_of(seen.front()) == std::string::npos;
  }
  for (std::thread& one : writers) one.join();
  EXPECT_TRUE(whole);
  EXPECT_EQ(names_in(file.parent_path()), std::set<std::string>{"a"});
}

TEST(AsideFile, WritesThroughNoLink) {
  const ScratchFolder folder;
  const fs::path file = folder.path("a"), other = folder.path("other");
  write_file_atomically(other, "of somebody else");
  fs::create_symlink(other, file.string() + ".part");
  expect_contains(error_of([&] { write_file_atomically(file, "x"); }), "cannot write");
  EXPECT_EQ(read_file(other), "of somebody else");
}

}  // namespace
}  // namespace tritonrl::base
