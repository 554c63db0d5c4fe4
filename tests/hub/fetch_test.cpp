#include "tests/hub/served_fetch.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

using Fetch = ServedFetch;

TEST_F(Fetch, writes_hugging_faces_layout) {
  const fs::path snapshot = get();
  EXPECT_EQ(snapshot, in_cache("snapshots/" + repository().commit));
  expect_whole(snapshot);
  EXPECT_EQ(base::read_file(in_cache("refs/main")), repository().commit);
  EXPECT_EQ(fs::read_symlink(snapshot / "config.json"), "../../blobs/" + git_blob_of("{}\n"));
  EXPECT_EQ(fs::read_symlink(snapshot / "sub dir/notes.txt"), "../../../blobs/" + git_blob_of("notes"));
  EXPECT_EQ(fs::read_symlink(snapshot / "model.safetensors"), "../../blobs/" + sha256_of(weights()));
  EXPECT_EQ(cached_snapshot(model(), options()), snapshot);
}

TEST_F(Fetch, gives_the_token_to_the_endpoint_alone) {
  get();
  ASSERT_FALSE(server_.far_requests().empty());
  for (const ServedRequest& request : server_.requests()) {
    EXPECT_EQ(request.header("authorization"), std::string("Bearer ") + kToken) << request.target;
  }
  for (const ServedRequest& request : server_.far_requests()) {
    EXPECT_FALSE(request.has("authorization")) << request.target;
    for (const auto& [name, value] : request.headers) expect_lacks(value, kToken);
  }
}

TEST_F(Fetch, takes_what_is_there) {
  get();
  const std::size_t asked = server_.requests().size();
  get();
  EXPECT_EQ(server_.requests().size(), asked + 1) << "only what the revision means";
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 1u);
}

TEST_F(Fetch, asks_nothing_about_a_complete_commit) {
  get(repository().commit);
  const std::size_t asked = server_.requests().size();
  expect_whole(get(repository().commit));
  EXPECT_EQ(server_.requests().size(), asked);
  EXPECT_FALSE(fs::exists(in_cache("refs")));
}

TEST_F(Fetch, completes_a_part_of_a_snapshot) {
  fetch(
      model(), [](const std::string& file) { return file == "config.json"; }, options());
  EXPECT_FALSE(fs::exists(in_cache("snapshots/" + repository().commit + "/model.safetensors")));
  const fs::path snapshot = get();
  expect_whole(snapshot);
  fs::remove(snapshot / "config.json");
  fs::resize_file(in_cache("blobs/" + git_blob_of("notes")), 2);
  expect_whole(get(repository().commit));
  EXPECT_EQ(server_.transfers("config.json").size(), 1u) << "the blob was there";
  EXPECT_EQ(server_.transfers("notes.txt").size(), 2u);
}

TEST_F(Fetch, follows_a_branch_that_moves) {
  get();
  ServedRepository later = repository();
  later.commit = std::string(40, 'd');
  later.files["config.json"] = "{\"new\": 1}";
  server_.set_repository(later);
  const fs::path snapshot = get();
  EXPECT_EQ(base::read_file(snapshot / "config.json"), "{\"new\": 1}");
  EXPECT_EQ(base::read_file(in_cache("refs/main")), later.commit);
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 1u) << "the same blob";
  EXPECT_EQ(base::read_file(in_cache("snapshots/" + repository().commit + "/config.json")), "{}\n");
}

TEST_F(Fetch, asks_for_hashes_where_the_list_has_none) {
  ServedRepository silent = repository();
  silent.tells_hashes = false;
  server_.set_repository(silent);
  const fs::path snapshot = get();
  expect_whole(snapshot);
  EXPECT_EQ(fs::read_symlink(snapshot / "model.safetensors"), "../../blobs/" + sha256_of(weights()));
  EXPECT_EQ(fs::read_symlink(snapshot / "config.json"), "../../blobs/" + git_blob_of("{}\n"));
}

TEST_F(Fetch, refuses_a_file_without_any_hash) {
  ServedRepository silent = repository();
  silent.tells_hashes = false;
  server_.set_repository(silent);
  server_.set_fault([](const ServedRequest&, ServedAnswer answer) {
    answer.headers.erase("ETag");
    answer.headers.erase("X-Linked-Etag");
    return answer;
  });
  expect_contains(refusal(), "the server says no hash for");
}

TEST_F(Fetch, fetches_data_sets) {
  server_.set_repository({.path = "datasets/owner/data", .files = {{"a.jsonl", "{}"}, {"README.md", "x"}}});
  const fs::path snapshot = fetch({.kind = Repository::Kind::kDataset, .id = "owner/data"}, is_dataset_file, options());
  EXPECT_EQ(snapshot, scratch_.path("hub/datasets--owner--data/snapshots/" + repository().commit));
  EXPECT_EQ(base::read_file(snapshot / "a.jsonl"), "{}");
  EXPECT_FALSE(fs::exists(snapshot / "README.md"));
}

TEST_F(Fetch, tells_how_far_it_is) {
  std::int64_t last = -1, calls = 0;
  fetch(
      model(), [](const std::string& file) { return file == "model.safetensors"; }, options(),
      [&](const std::string& file, std::int64_t bytes, std::int64_t total) {
        EXPECT_EQ(file, "model.safetensors");
        EXPECT_GE(bytes, last);
        EXPECT_EQ(total, 3'000'000);
        last = bytes;
        ++calls;
      });
  EXPECT_EQ(last, 3'000'000);
  EXPECT_GT(calls, 3);
}

TEST_F(Fetch, follows_a_renamed_repository) {
  server_.set_fault([](const ServedRequest& request, const ServedAnswer& usual) -> ServedAnswer {
    const std::size_t old = request.target.find("/old/name");
    if (old == std::string::npos) return usual;
    std::string target = request.target;
    return {.status = 307, .headers = {{"Location", target.replace(old, 9, "/owner/name")}}};
  });
  const fs::path snapshot = fetch({.id = "old/name"}, everything, options());
  EXPECT_EQ(snapshot, scratch_.path("hub/models--old--name/snapshots/" + repository().commit));
  EXPECT_TRUE(base::read_file(snapshot / "model.safetensors") == weights());
}

}  // namespace
}  // namespace tritonrl::hub
