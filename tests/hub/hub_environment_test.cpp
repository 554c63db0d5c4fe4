#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "hub/hub.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::hub {
namespace {

using Variables = std::map<std::string, std::string>;

HubOptions with(const Variables& variables) {
  return options_from_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(HubEnvironment, has_defaults) {
  const HubOptions options = with({{"HOME", "/home/x"}});
  EXPECT_EQ(options.endpoint, "https://huggingface.co");
  EXPECT_EQ(options.cache, "/home/x/.cache/huggingface/hub");
  EXPECT_EQ(options.token, "");
  EXPECT_FALSE(options.offline);
  EXPECT_EQ(with({}).cache, "");
}

TEST(HubEnvironment, finds_the_cache) {
  Variables variables = {{"HOME", "/home/x"}, {"XDG_CACHE_HOME", "/xdg"}};
  EXPECT_EQ(with(variables).cache, "/xdg/huggingface/hub");
  variables["HF_HOME"] = "~/hf";
  EXPECT_EQ(with(variables).cache, "/home/x/hf/hub");
  variables["HUGGINGFACE_HUB_CACHE"] = "/old";
  EXPECT_EQ(with(variables).cache, "/old");
  variables["HF_HUB_CACHE"] = "${XDG_CACHE_HOME}/$HOME/$NONE/${NONE/$";
  EXPECT_EQ(with(variables).cache, "/xdg//home/x/$NONE/${NONE/$");
  variables["HF_HUB_CACHE"] = "";
  EXPECT_EQ(with(variables).cache, "/old");
}

TEST(HubEnvironment, finds_the_token) {
  const base::ScratchFolder scratch;
  std::ofstream(scratch.path("token")) << " from the home\n";
  std::ofstream(scratch.path("other")) << "from a file\r\n";
  Variables variables = {{"HF_HOME", scratch.path()}};
  EXPECT_EQ(with(variables).token, "from the home");
  variables["HF_TOKEN_PATH"] = scratch.path("other");
  EXPECT_EQ(with(variables).token, "from a file");
  variables["HF_TOKEN_PATH"] = scratch.path("nowhere");
  EXPECT_EQ(with(variables).token, "");
  variables["HUGGING_FACE_HUB_TOKEN"] = "old";
  EXPECT_EQ(with(variables).token, "old");
  variables["HF_TOKEN"] = " new\n";
  EXPECT_EQ(with(variables).token, "new");
  variables["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1";
  EXPECT_EQ(with(variables).token, "");
}

TEST(HubEnvironment, knows_offline_and_the_endpoint) {
  for (const char* yes : {"1", "on", "Yes", "TRUE"}) EXPECT_TRUE(with({{"HF_HUB_OFFLINE", yes}}).offline) << yes;
  for (const char* no : {"0", "off", "", "2"}) EXPECT_FALSE(with({{"HF_HUB_OFFLINE", no}}).offline) << no;
  EXPECT_TRUE(with({{"TRANSFORMERS_OFFLINE", "1"}}).offline);
  EXPECT_FALSE(with({{"TRANSFORMERS_OFFLINE", "1"}, {"HF_HUB_OFFLINE", "0"}}).offline);
  EXPECT_EQ(with({{"HF_ENDPOINT", "https://mirror/"}}).endpoint, "https://mirror");
}

}  // namespace
}  // namespace tritonrl::hub
