#include <gtest/gtest.h>

#include "hub/hub.h"

namespace tritonrl::hub {
namespace {

TEST(HubId, takes_names_of_repositories) {
  for (const char* name : {"gpt2", "Qwen/Qwen2.5-0.5B", "ScalingIntelligence/KernelBook", "a_b/c.d-e"}) {
    EXPECT_TRUE(is_repository_id(name)) << name;
  }
}

TEST(HubId, refuses_paths_and_others) {
  for (const char* name :
       {"", "a/b/c", "/a", "a/", "./a", "../a", "a/..", "-a", "a b", "a\\b", "a@b", "a?b", "\xc3\xa4"}) {
    EXPECT_FALSE(is_repository_id(name)) << name;
  }
  EXPECT_FALSE(is_repository_id(std::string(97, 'a')));
  EXPECT_FALSE(is_repository_id(std::string("a\0b", 3)));
}

}  // namespace
}  // namespace tritonrl::hub
