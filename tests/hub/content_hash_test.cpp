#include "hub/content_hash.h"

#include <gtest/gtest.h>

namespace tritonrl::hub {
namespace {

std::string hash(HashKind kind, const std::vector<std::string>& pieces) {
  std::int64_t size = 0;
  for (const std::string& piece : pieces) size += static_cast<std::int64_t>(piece.size());
  ContentHash out(kind, size);
  for (const std::string& piece : pieces) out.add(piece);
  return out.hex();
}

// Expected values by the programs sha256sum and git hash-object.
TEST(ContentHash, agrees_with_sha256sum) {
  EXPECT_EQ(hash(HashKind::kSha256, {}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash(HashKind::kSha256, {"hello\n"}), "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
}

TEST(ContentHash, agrees_with_git) {
  EXPECT_EQ(hash(HashKind::kGitBlob, {}), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(hash(HashKind::kGitBlob, {"hello\n"}), "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST(ContentHash, does_not_depend_on_the_pieces) {
  for (const HashKind kind : {HashKind::kSha256, HashKind::kGitBlob}) {
    EXPECT_EQ(hash(kind, {"he", "", "llo\n"}), hash(kind, {"hello\n"}));
  }
}

TEST(ContentHash, is_known_by_its_digits) {
  EXPECT_EQ(hash_kind(std::string(64, 'a')), HashKind::kSha256);
  EXPECT_EQ(hash_kind(std::string(40, '0')), HashKind::kGitBlob);
  for (const std::string& other : {std::string(), std::string(41, 'a'), std::string(64, 'A'), std::string(64, 'g'),
                                   "../" + std::string(37, 'a')}) {
    EXPECT_EQ(hash_kind(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace tritonrl::hub
