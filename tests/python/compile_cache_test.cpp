#include "python/compile_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

const std::string kKey = base::sha256("some request");

fs::path only_entry(const fs::path& folder) {
  return folder / kKey.substr(0, 2) / kKey.substr(2);
}

TEST(CompileCache, KeepsWhatWasStored) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  const std::string bytes("an answer\n\0with zeros", 21);
  {
    CompileCache cache(folder / "made" / "for it");
    EXPECT_EQ(cache.find(kKey), std::nullopt);
    cache.store(kKey, bytes);
    EXPECT_EQ(cache.find(kKey), bytes);
    EXPECT_EQ(cache.find(base::sha256("another")), std::nullopt);
  }
  CompileCache again(folder / "made" / "for it");
  EXPECT_EQ(again.find(kKey), bytes);
  again.store(kKey, "");
  EXPECT_EQ(again.find(kKey), "");
}

TEST(CompileCache, CutAndChangedEntriesAreNone) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  CompileCache cache(folder);
  cache.store(kKey, "the answer of a compilation");
  const fs::path file = only_entry(folder);
  const std::string whole = base::read_file(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    base::write_file_atomically(file, whole.substr(0, size));
    EXPECT_EQ(cache.find(kKey), std::nullopt) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    base::write_file_atomically(file, changed);
    EXPECT_EQ(cache.find(kKey), std::nullopt) << i;
  }
  base::write_file_atomically(file, whole + "x");
  EXPECT_EQ(cache.find(kKey), std::nullopt);
  cache.store(kKey, "the answer of a compilation");
  EXPECT_EQ(cache.find(kKey), "the answer of a compilation");
}

TEST(CompileCache, AnEntryUnderAnothersNameIsNone) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  CompileCache cache(folder);
  cache.store(kKey, "mine");
  const std::string other = base::sha256("another");
  fs::create_directories(folder / other.substr(0, 2));
  fs::copy_file(only_entry(folder), folder / other.substr(0, 2) / other.substr(2));
  EXPECT_EQ(cache.find(other), std::nullopt);
}

TEST(CompileCache, AFolderInAnEntrysPlaceIsNone) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  CompileCache cache(folder);
  fs::create_directories(only_entry(folder));
  EXPECT_EQ(cache.find(kKey), std::nullopt);
}

TEST(CompileCache, ManyThreadsMayStoreTheSame) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  CompileCache cache(folder);
  const std::string bytes(100'000, 'x');
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        cache.store(kKey, bytes);
        const std::optional<std::string> found = cache.find(kKey);
        EXPECT_TRUE(found == bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CompileCache, AnUnwritableFolderIsTheUsersToFix) {
  const base::ScratchFolder scratch;
  const fs::path folder = scratch.path();
  base::write_file_atomically(folder / "file", "");
  try {
    CompileCache cache(folder / "file" / "cache");
    FAIL() << "a cache below a file";
  } catch (const base::UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find((folder / "file" / "cache").string()), std::string::npos) << text;
    EXPECT_NE(text.find("choose another"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tritonrl::python
