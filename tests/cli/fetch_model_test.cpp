#include "cli/find_model.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.h"
#include "tests/base/expectations.h"
#include "tests/base/scratch_folder.h"
#include "tests/hub/hub_server.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::error_of;
using base::expect_contains;
using base::write_text;
using weights::ModelLocation;
using Files = std::map<std::string, std::string>;

// Models that are on a server and not here.
class FetchModel : public testing::Test {
 protected:
  FetchModel() : server_({}) { ::setenv("no_proxy", "127.0.0.1", /*overwrite=*/1); }

  ModelLocation find(const Files& small, const Files& large) {
    server_.set_repository({.files = small, .large = large});
    hub::HubOptions hub;
    hub.endpoint = server_.address();
    hub.cache = scratch_.path("hub");
    hub.retry_ms = 1;
    return find_model("owner/name", hub);
  }
  base::ScratchFolder scratch_;
  hub::HubServer server_;
};

TEST_F(FetchModel, downloads_what_is_needed) {
  const ModelLocation location = find({{"config.json", "{}"}, {"tokenizer.json", "{ }"}, {"README.md", "read me"}},
                                      {{"model-1-of-2.safetensors", "1"},
                                       {"model-2-of-2.safetensors", "2"},
                                       {"pytorch_model.bin", "3"},
                                       {"onnx/model.onnx", "4"},
                                       {"name-q4.gguf", "5"}});
  EXPECT_EQ(location.kind, ModelLocation::Kind::kFolder);
  EXPECT_EQ(base::read_file(location.path / "model-2-of-2.safetensors"), "2");
  EXPECT_TRUE(fs::exists(location.path / "tokenizer.json"));
  for (const char* unwanted : {"README.md", "pytorch_model.bin", "onnx", "name-q4.gguf"}) {
    EXPECT_FALSE(fs::exists(location.path / unwanted)) << unwanted;
  }
}

TEST_F(FetchModel, leaves_shards_where_one_file_has_all) {
  const ModelLocation location = find({{"config.json", "{}"}, {"model.safetensors.index.json", "{ }"}},
                                      {{"model-1-of-1.safetensors", "1"}, {"model.safetensors", "2"}});
  EXPECT_TRUE(fs::exists(location.path / "model.safetensors"));
  EXPECT_FALSE(fs::exists(location.path / "model-1-of-1.safetensors"));
  EXPECT_FALSE(fs::exists(location.path / "model.safetensors.index.json"));
}

TEST_F(FetchModel, takes_the_only_gguf_file) {
  const ModelLocation location = find({{"config.json", "{}"}, {"README.md", "read me"}}, {{"name-q8.gguf", "weights"}});
  EXPECT_EQ(location.kind, ModelLocation::Kind::kGguf);
  EXPECT_EQ(base::read_file(location.path), "weights");
  write_text(location.path.parent_path() / "config.json", "{}");  // another program fetched it
  EXPECT_EQ(find({{"config.json", "{}"}}, {{"name-q8.gguf", "weights"}}).path, location.path);
}

TEST_F(FetchModel, does_not_choose_among_gguf_files) {
  const std::string message = error_of([&] { find({}, {{"q4.gguf", "4"}, {"q8.gguf", "8"}}); });
  expect_contains(message, "2 .gguf files (q4.gguf, q8.gguf): download one of them");
}

TEST_F(FetchModel, says_what_is_missing) {
  expect_contains(error_of([&] {
                    find({{"config.json", "{}"}}, {{"pytorch_model.bin", "x"}});
                  }),
                  "neither model.safetensors nor a .gguf file");
  server_.set_fault(
      [](const hub::ServedRequest&, const hub::ServedAnswer&) { return hub::ServedAnswer{.status = 404}; });
  const std::string message = error_of([&] { find({}, {}); });
  expect_contains(message, "no model \"owner/name\": owner/name does not exist here");
  expect_contains(message, "the hub has no model \"owner/name\"");
}

}  // namespace
}  // namespace tritonrl::cli
