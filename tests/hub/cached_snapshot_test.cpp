#include <gtest/gtest.h>

#include "tests/hub/fetch_fixture.h"

namespace tritonrl::hub {
namespace {

class CachedSnapshot : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& text) { write_text(scratch_.path(file), text); }
  std::string find(const Repository& repository) {
    std::string problem;
    const auto found = cached_snapshot(repository, {.cache = scratch_.path()}, &problem);
    return found ? found->lexically_relative(scratch_.path()).string() : "none: " + problem;
  }
  base::ScratchFolder scratch_;
};

TEST_F(CachedSnapshot, follows_the_reference) {
  put("models--a--b/refs/main", "abc\n");
  put("models--a--b/refs/refs/pr/1", "def");
  put("models--a--b/snapshots/abc/x", "");
  put("models--a--b/snapshots/def/x", "");
  put("datasets--a--b/refs/main", "0");
  put("datasets--a--b/snapshots/0/x", "");
  EXPECT_EQ(find({.id = "a/b"}), "models--a--b/snapshots/abc");
  EXPECT_EQ(find({.id = "a/b", .revision = "refs/pr/1"}), "models--a--b/snapshots/def");
  EXPECT_EQ(find({.kind = Repository::Kind::kDataset, .id = "a/b"}), "datasets--a--b/snapshots/0");
}

TEST_F(CachedSnapshot, takes_a_commit_by_itself) {
  const std::string commit(40, '7');
  put("models--a/snapshots/" + commit + "/x", "");
  EXPECT_EQ(find({.id = "a", .revision = commit}), "models--a/snapshots/" + commit);
}

TEST_F(CachedSnapshot, says_where_it_looked) {
  put("models--a--noref/x", "");
  put("models--a--nosnapshot/refs/main", "abc");
  put("models--a--escape/refs/main", "../../..");
  put("models--a--slash/refs/main", "a/b");
  expect_contains(find({.id = "a/b"}), "models--a--b does not exist");
  expect_contains(find({.id = "a/noref"}), "refs/main does not exist");
  expect_contains(find({.id = "a/nosnapshot"}), "snapshots/abc does not exist");
  expect_contains(find({.id = "a/escape"}), "does not hold the name of a snapshot");
  expect_contains(find({.id = "a/slash"}), "does not hold the name of a snapshot");
  expect_contains(error_of([&] { find({.id = "a/../b"}); }), "is no name of a repository");
  expect_contains(error_of([&] { find({.id = "a", .revision = "../x"}); }), "is no revision");
  expect_contains(error_of([&] { cached_snapshot({.id = "a"}, {}); }), "no folder is known for Hugging Face's cache");
}

}  // namespace
}  // namespace tritonrl::hub
