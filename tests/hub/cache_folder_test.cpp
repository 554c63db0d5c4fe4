#include "hub/cache_folder.h"

#include <gtest/gtest.h>

namespace tritonrl::hub {
namespace {

TEST(SafePath, takes_names_below_a_folder) {
  for (const char* path : {"a", "a/b.c", "..a/b..", "a b", "\xc3\xa4"}) EXPECT_TRUE(is_safe_path(path)) << path;
}

TEST(SafePath, refuses_whatever_leads_out) {
  for (const char* path :
       {"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "./a", "a\\b", "..\\a", "a\nb"}) {
    EXPECT_FALSE(is_safe_path(path)) << path;
  }
  EXPECT_FALSE(is_safe_path(std::string("a\0b", 3)));
  EXPECT_FALSE(is_safe_path(std::string(300, 'a')));
}

}  // namespace
}  // namespace tritonrl::hub
