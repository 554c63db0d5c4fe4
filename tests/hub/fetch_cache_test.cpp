#include <chrono>

#include "tests/hub/served_fetch.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// What the cache serves without a server.
class FetchCache : public ServedFetch {
 protected:
  static constexpr const char* kCommit = "0123456789012345678901234567890123456789";

  // As huggingface_hub leaves it, with links or, where those are off, with the files themselves.
  void put_snapshot(bool links) {
    write_text(in_cache("refs/main"), kCommit);
    const fs::path snapshot = in_cache(std::string("snapshots/") + kCommit);
    fs::create_directories(snapshot);
    if (!links) return write_text(snapshot / "config.json", "cached");
    write_text(in_cache("blobs/" + git_blob_of("cached")), "cached");
    fs::create_symlink("../../blobs/" + git_blob_of("cached"), snapshot / "config.json");
  }
  HubOptions offline() const {
    HubOptions out = options();
    out.offline = true;
    return out;
  }
  // Nobody listens there.
  HubOptions unreachable() const {
    HubOptions out = options();
    out.endpoint = HttpServer([](const ServedRequest&) { return ServedAnswer{}; }).address();
    return out;
  }
};

TEST_F(FetchCache, serves_what_huggingface_hub_left) {
  for (const bool links : {true, false}) {
    fs::remove_all(scratch_.path("hub"));
    put_snapshot(links);
    for (const HubOptions& without : {offline(), unreachable()}) {
      const fs::path snapshot = fetch(model(), is_model_file, without);
      EXPECT_EQ(base::read_file(snapshot / "config.json"), "cached");
    }
  }
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(FetchCache, asks_the_server_when_it_can) {
  put_snapshot(/*links=*/true);
  expect_whole(get());
}

TEST_F(FetchCache, serves_when_the_server_refuses_or_fails) {
  put_snapshot(/*links=*/true);
  for (const int status : {401, 403, 404, 500, 429}) {
    server_.set_fault([=](const ServedRequest&, const ServedAnswer&) { return ServedAnswer{.status = status}; });
    const std::size_t before = server_.requests().size();
    EXPECT_EQ(get().filename(), kCommit) << status;
    EXPECT_EQ(server_.requests().size(), before + 1) << "at once";
  }
  server_.set_fault(
      [](const ServedRequest&, const ServedAnswer&) { return ServedAnswer{.body = "<html>log in</html>"}; });
  EXPECT_EQ(get().filename(), kCommit);
}

TEST_F(FetchCache, does_not_wait_for_a_silent_server) {
  put_snapshot(/*links=*/true);
  server_.set_fault([](const ServedRequest&, const ServedAnswer&) {
    return ServedAnswer{.body = "slow", .cut_after = 0, .hang = true};
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(fetch(model(), everything, impatient()).filename(), kCommit);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
}

TEST_F(FetchCache, says_what_it_lacks) {
  expect_contains(error_of([&] { fetch(model(), everything, offline()); }), "models--owner--name does not exist");
  expect_contains(error_of([&] { fetch(model(), everything, offline()); }), "HF_HUB_OFFLINE");
  const std::string message = error_of([&] { fetch(model(), everything, unreachable()); });
  expect_contains(message, "cannot reach the hub");
  expect_contains(message, "models--owner--name does not exist");
  put_snapshot(/*links=*/true);
  fs::remove_all(in_cache("blobs"));  // the link leads nowhere
  expect_contains(error_of([&] { fetch(model(), everything, offline()); }), "has no file that is wanted");
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(FetchCache, does_not_take_a_part_for_the_whole) {
  const fs::path snapshot = get();
  expect_whole(fetch(model(), everything, offline()));
  fs::remove(snapshot / "model.safetensors");
  expect_contains(error_of([&] { fetch(model(), everything, offline()); }), "lacks model.safetensors");
  EXPECT_EQ(fetch(
                model(), [](const std::string& file) { return file == "config.json"; }, offline()),
            snapshot);
}

TEST_F(FetchCache, need_not_be_writable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const fs::path snapshot = get();
  fs::remove_all(in_cache("listings"));
  fs::permissions(in_cache(""), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(get(), snapshot);
  fs::permissions(in_cache(""), fs::perms::owner_all);
}

TEST_F(FetchCache, chooses_among_all_files) {
  const Choice smallest = [](const std::vector<std::string>& files) { return std::vector{files.front()}; };
  const fs::path snapshot = fetch_chosen(model(), smallest, options());
  EXPECT_TRUE(fs::exists(snapshot / "config.json"));
  EXPECT_FALSE(fs::exists(snapshot / "empty"));
  EXPECT_EQ(fetch_chosen(model(), smallest, offline()), snapshot);
  const Choice none = [](const std::vector<std::string>&) -> std::vector<std::string> {
    throw base::UserError("test", "cannot choose");
  };
  expect_contains(error_of([&] { fetch_chosen(model(), none, options()); }), "cannot choose");
}

}  // namespace
}  // namespace tritonrl::hub
