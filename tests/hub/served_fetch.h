#pragma once

#include <cstdlib>
#include <set>

#include "tests/hub/fetch_fixture.h"
#include "tests/hub/hub_server.h"

namespace tritonrl::hub {

inline bool everything(const std::string&) {
  return true;
}

// A cache of its own and a server with a small file and a large one.
class ServedFetch : public testing::Test {
 protected:
  static constexpr const char* kToken = "hf_verysecret";

  ServedFetch() : server_(repository()) { ::setenv("no_proxy", "127.0.0.1", /*overwrite=*/1); }

  static ServedRepository repository() {
    std::string weights(3'000'000, '\0');
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<char>(i * 2654435761u >> 13);
    return {.files = {{"config.json", "{}\n"}, {"sub dir/notes.txt", "notes"}, {"empty", ""}},
            .large = {{"model.safetensors", weights}}};
  }

  HubOptions options() const {
    return {.endpoint = server_.address(), .token = kToken, .cache = scratch_.path("hub"), .retries = 3, .retry_ms = 1};
  }
  // Breaks a transfer off when nothing comes for a second.
  HubOptions impatient() const {
    HubOptions out = options();
    out.idle_seconds = 1;
    return out;
  }
  static Repository model() { return {.id = "owner/name"}; }
  std::filesystem::path get(const std::string& revision = "main") {
    return fetch({.id = "owner/name", .revision = revision}, everything, options());
  }
  // The message of a fetch that fails; it never has the token in it.
  std::string refusal() {
    const std::string message = error_of([&] { get(); });
    expect_lacks(message, kToken);
    return message;
  }

  std::filesystem::path in_cache(const std::string& path) const {
    return std::filesystem::path(scratch_.path("hub/models--owner--name")) / path;
  }
  std::filesystem::path part_of_weights() const {
    return in_cache("blobs/" + sha256_of(repository().large.at("model.safetensors")) + ".incomplete");
  }
  void expect_whole(const std::filesystem::path& snapshot) const {
    for (const auto& files : {repository().files, repository().large}) {
      for (const auto& [name, content] : files) {
        EXPECT_TRUE(base::read_file(snapshot / name) == content) << name;
      }
    }
    expect_no_parts();
  }
  void expect_no_parts() const {
    if (!std::filesystem::exists(in_cache("blobs"))) return;
    for (const auto& entry : std::filesystem::directory_iterator(in_cache("blobs"))) {
      EXPECT_NE(entry.path().extension(), ".incomplete") << entry.path();
    }
  }
  std::string weights() const { return repository().large.at("model.safetensors"); }

  base::ScratchFolder scratch_;
  HubServer server_;
};

}  // namespace tritonrl::hub
