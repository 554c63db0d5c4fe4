#include "cli/find_model.h"

#include <gtest/gtest.h>

#include "tests/base/expectations.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::error_of;
using base::expect_contains;
using base::write_text;
using weights::ModelLocation;

class FindModel : public testing::Test {
 protected:
  ModelLocation find(const std::string& name) {
    hub::HubOptions hub;
    hub.cache = scratch_.path("hub");
    hub.offline = true;
    return find_model(name, hub);
  }
  void put(const std::string& file, const std::string& text = "{}") {
    fs::create_directories(fs::path(scratch_.path(file)).parent_path());
    write_text(scratch_.path(file), text);
  }
  base::ScratchFolder scratch_;
};

TEST_F(FindModel, takes_a_folder_with_a_config) {
  put("m/config.json");
  put("m/x.gguf");
  const ModelLocation location = find(scratch_.path("m"));
  EXPECT_EQ(location.kind, ModelLocation::Kind::kFolder);
  EXPECT_EQ(location.path, scratch_.path("m"));
}

TEST_F(FindModel, takes_a_gguf_file_or_a_folder_with_one) {
  put("m/x.gguf");
  EXPECT_EQ(find(scratch_.path("m/x.gguf")).kind, ModelLocation::Kind::kGguf);
  EXPECT_EQ(find(scratch_.path("m")).path, scratch_.path("m/x.gguf"));
  put("m/y.gguf");
  expect_contains(error_of([&] { find(scratch_.path("m")); }), "2 .gguf files: name one of them");
}

TEST_F(FindModel, takes_the_snapshot_that_main_names) {
  put("hub/models--Qwen--Qwen2.5-0.5B/refs/main", "abc123\n");
  put("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc123/config.json");
  put("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc123/model.safetensors");
  put("hub/models--Qwen--Qwen2.5-0.5B/snapshots/older/config.json");
  put("hub/models--gpt2/refs/main", "d");
  put("hub/models--gpt2/snapshots/d/model.gguf");
  EXPECT_EQ(find("Qwen/Qwen2.5-0.5B").path, scratch_.path("hub/models--Qwen--Qwen2.5-0.5B/snapshots/abc123"));
  EXPECT_EQ(find("gpt2").kind, ModelLocation::Kind::kGguf);
}

TEST_F(FindModel, says_where_it_looked) {
  put("hub/models--a--noref/x");
  put("hub/models--a--nosnapshot/refs/main", "abc");
  put("hub/models--a--escape/refs/main", "../../..");
  put("hub/models--a--empty/refs/main", "r");
  put("hub/models--a--empty/snapshots/r/readme");
  put("file.txt");
  fs::create_directories(scratch_.path("bare"));
  const auto error = [&](const std::string& name) { return error_of([&] { find(name); }); };
  expect_contains(error("a/b"), "no model \"a/b\": a/b does not exist here; [hub] " +
                                    scratch_.path("hub/models--a--b") + " does not exist");
  expect_contains(error("a/noref"), "refs/main does not exist");
  expect_contains(error("a/nosnapshot"), "snapshots/abc does not exist");
  expect_contains(error("a/escape"), "does not hold the name of a snapshot");
  expect_contains(error("a/empty"), "snapshots/r: [hub] it has neither model.safetensors nor a .gguf file");
  expect_contains(error(scratch_.path("bare")), "no model in this folder");
  expect_contains(error(scratch_.path("file.txt")), "a model is a folder in Hugging Face's layout or a .gguf file");
  expect_contains(error("x.gguf"), "x.gguf does not exist here. Name a folder");
  expect_contains(error(""), "the model's name is empty");
  expect_contains(error("a/b/c"), "a/b/c does not exist here. Name");
  expect_contains(error_of([] { find_model("a/b", {}); }), "no folder is known for Hugging Face's cache");
}

}  // namespace
}  // namespace tritonrl::cli
