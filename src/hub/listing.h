#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/cache_folder.h"

namespace tritonrl::hub {

inline constexpr std::size_t kLongestListing = std::size_t{64} << 20;  // bytes of a list of files, sent or kept

struct RemoteFile {
  std::string name;                       // as the server says it: check it before it becomes a path
  std::string etag = {};                  // SHA-256 or Git blob, the blob's name in the cache; empty: not said
  std::optional<std::int64_t> size = {};  // bytes
};

// What a commit of a repository has.
struct Listing {
  std::string commit;
  std::map<std::string, RemoteFile> files = {};  // by name

  std::vector<std::string> names() const;
};

// From the hub's answer to api/models/…/revision/…; none if it is no such answer, and `problem` says why.
std::optional<Listing> parse_listing(std::string_view json, std::string& problem);

// What is known of a commit without a server: what we noted (listings/<commit>.json), or huggingface_hub did (trees/).
// Ours lies apart: with a listing of its own huggingface_hub would refuse snapshots that lack files nobody wants here.
std::optional<Listing> stored_listing(const CacheFolder& folder, const std::string& commit);
void store_listing(const CacheFolder& folder, const Listing& listing);

}  // namespace tritonrl::hub
