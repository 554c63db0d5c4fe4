#include "hub/listing.h"

#include <gtest/gtest.h>

#include "tests/hub/fetch_fixture.h"

namespace tritonrl::hub {
namespace {

const std::string kCommit(40, 'c'), kSha256(64, 'a'), kBlob(40, 'b');

TEST(Listing, reads_the_hubs_answer) {
  std::string problem;
  const auto listing = parse_listing(R"({"sha": ")" + kCommit + R"(", "more": [{}], "siblings": [
        {"rfilename": "small", "size": 5, "blobId": ")" +
                                         kBlob + R"("},
        {"rfilename": "large", "size": 7, "blobId": ")" +
                                         kBlob + R"(", "lfs": {"sha256": ")" + kSha256 + R"(", "size": 7}},
        {"rfilename": "oid", "lfs": {"oid": "sha256:)" +
                                         kSha256 + R"(", "size": 8}},
        {"rfilename": "unknown"},
        {"rfilename": "pointer", "size": 135, "blobId": ")" +
                                         kBlob + R"(", "lfs": {}},
        {"rfilename": "odd", "size": -5, "blobId": "../../x"}]})",
                                     problem);
  ASSERT_TRUE(listing) << problem;
  EXPECT_EQ(listing->commit, kCommit);
  const auto expect = [&](const char* name, const std::string& etag, std::optional<std::int64_t> size) {
    EXPECT_EQ(listing->files.at(name).etag, etag) << name;
    EXPECT_EQ(listing->files.at(name).size, size) << name;
  };
  expect("small", kBlob, 5);
  expect("large", kSha256, 7);
  expect("oid", kSha256, 8);
  expect("unknown", "", std::nullopt);
  expect("pointer", "", std::nullopt);
  expect("odd", "", std::nullopt);
}

TEST(Listing, refuses_other_answers) {
  const auto problem_of = [](const std::string& text) {
    std::string problem;
    EXPECT_FALSE(parse_listing(text, problem)) << text;
    return problem;
  };
  for (const char* text : {"", "<html>", "[]", "5", R"({"sha": )"}) expect_contains(problem_of(text), "no JSON object");
  for (const char* text : {"{}", R"({"sha": 5})", R"({"sha": "main"})"}) expect_contains(problem_of(text), "no commit");
  const std::string head = R"({"sha": ")" + kCommit + R"(")";
  expect_contains(problem_of(head + "}"), "siblings");
  expect_contains(problem_of(head + R"(, "siblings": {}})"), "siblings");
  for (const char* entry : {"5", "{}", R"({"rfilename": 5})", R"({"rfilename": ""})", "null", "[]"}) {
    expect_contains(problem_of(head + R"(, "siblings": [)" + entry + "]}"), "rfilename");
  }
}

TEST(Listing, is_kept_beside_the_snapshots) {
  const base::ScratchFolder scratch;
  const CacheFolder folder({.id = "a/b"}, {.cache = scratch.path()});
  EXPECT_FALSE(stored_listing(folder, kCommit));
  store_listing(folder, {.commit = kCommit,
                         .files = {{"small", {.name = "small", .etag = kBlob, .size = 5}},
                                   {"large", {.name = "large", .etag = kSha256, .size = 7}},
                                   {"unknown", {.name = "unknown"}}}});
  const auto back = stored_listing(folder, kCommit);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->files.at("small").etag, kBlob);
  EXPECT_EQ(back->files.at("small").size, 5);
  EXPECT_EQ(back->files.at("large").etag, kSha256);
  EXPECT_EQ(back->files.at("unknown").etag, "");
  EXPECT_EQ(back->files.size(), 3u);
}

TEST(Listing, takes_that_of_huggingface_hub) {
  const base::ScratchFolder scratch;
  const CacheFolder folder({.id = "a/b"}, {.cache = scratch.path()});
  const std::string place = scratch.path("models--a--b/trees/" + kCommit + ".json");
  write_text(place, R"({"format_version": 1, "files": {"x": {"size": 135, "blob_id": ")" + kBlob +
                        R"(", "lfs_sha256": ")" + kSha256 + R"(", "lfs_size": 9}}})");
  const auto listing = stored_listing(folder, kCommit);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->files.at("x").etag, kSha256);
  EXPECT_EQ(listing->files.at("x").size, 9);
  for (const char* text :
       {"", "{}", R"({"format_version": 2, "files": {}})", R"({"format_version": 1, "files": []})"}) {
    write_text(place, text);
    EXPECT_FALSE(stored_listing(folder, kCommit)) << text;
  }
}

}  // namespace
}  // namespace tritonrl::hub
