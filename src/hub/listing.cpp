#include "hub/listing.h"

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "hub/content_hash.h"

namespace tritonrl::hub {
namespace {

using base::Json;
namespace fs = std::filesystem;

constexpr int kFormat = 1;

std::string text_in(const Json& object, const char* name) {
  const Json* found = object.find(name);
  return found != nullptr && found->is_string() ? found->text() : "";
}

std::optional<std::int64_t> size_in(const Json& object, const char* name) {
  const Json* found = object.find(name);
  if (found == nullptr || !found->is_number_unsigned()) return std::nullopt;
  const std::uint64_t size = found->natural();
  return size < (std::uint64_t{1} << 60) ? std::optional<std::int64_t>(size) : std::nullopt;
}

// Large files are named by their own digest, others by Git's.
RemoteFile make_file(std::string name, const std::string& sha256, std::optional<std::int64_t> large_size,
                     const std::string& git_blob, std::optional<std::int64_t> size) {
  RemoteFile file{.name = std::move(name)};
  if (hash_kind(sha256) == HashKind::kSha256) {
    file.etag = sha256;
    file.size = large_size ? large_size : size;
  } else if (hash_kind(git_blob) == HashKind::kGitBlob) {
    file.etag = git_blob;
    file.size = size;
  }
  return file;
}

RemoteFile sibling(const Json& entry) {
  const Json* found = entry.find("lfs");
  const Json lfs = found == nullptr ? Json() : *found;
  std::string sha256 = text_in(lfs, "sha256");
  if (sha256.empty()) sha256 = text_in(lfs, "oid");
  if (sha256.starts_with("sha256:")) sha256.erase(0, 7);
  // A large file whose own digest is not said: Git's is that of its pointer, not of its content.
  const std::string blob = lfs.is_object() ? "" : text_in(entry, "blobId");
  return make_file(text_in(entry, "rfilename"), sha256, size_in(lfs, "size"), blob, size_in(entry, "size"));
}

std::optional<Listing> read_stored(const fs::path& path, const std::string& commit) {
  if (!is_file_of(path, std::nullopt)) return std::nullopt;
  std::optional<Json> json;
  try {
    json = Json::try_parse(base::read_file(path, kLongestListing));
  } catch (const base::UserError&) {  // unreadable: as good as not there
    return std::nullopt;
  }
  if (!json || size_in(*json, "format_version") != kFormat) return std::nullopt;
  const Json* files = json->find("files");
  if (files == nullptr || !files->is_object()) return std::nullopt;
  Listing listing{.commit = commit};
  for (const auto& [name, entry] : files->items()) {
    listing.files.emplace(name, make_file(name, text_in(entry, "lfs_sha256"), size_in(entry, "lfs_size"),
                                          text_in(entry, "blob_id"), size_in(entry, "size")));
  }
  return listing;
}

}  // namespace

std::vector<std::string> Listing::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files) names.push_back(name);
  return names;
}

std::optional<Listing> parse_listing(std::string_view text, std::string& problem) {
  const auto refuse = [&](const char* why) {
    problem = why;
    return std::nullopt;
  };
  const std::optional<Json> json = Json::try_parse(text);
  if (!json || !json->is_object()) return refuse("the answer is no JSON object");
  Listing listing{.commit = text_in(*json, "sha")};
  if (!is_commit(listing.commit)) return refuse("the answer's \"sha\" is no commit");
  const Json* siblings = json->find("siblings");
  if (siblings == nullptr || !siblings->is_array()) return refuse("the answer has no list of \"siblings\"");
  for (const Json& entry : *siblings) {
    if (text_in(entry, "rfilename").empty()) return refuse("one of the \"siblings\" has no \"rfilename\"");
    RemoteFile file = sibling(entry);
    const std::string name = file.name;
    listing.files.emplace(name, std::move(file));
  }
  return listing;
}

std::optional<Listing> stored_listing(const CacheFolder& folder, const std::string& commit) {
  const std::string name = commit + ".json";
  if (auto ours = read_stored(folder.root() / "listings" / name, commit)) return ours;
  return read_stored(folder.root() / "trees" / name, commit);
}

void store_listing(const CacheFolder& folder, const Listing& listing) {
  const fs::path path = folder.root() / "listings" / (listing.commit + ".json");
  if (is_file_of(path, std::nullopt)) return;  // a commit never changes
  Json files = Json::object();
  for (const auto& [name, file] : listing.files) {
    Json& entry = files[name] = Json::object();
    if (file.size) entry["size"] = *file.size;
    if (!file.etag.empty()) entry[hash_kind(file.etag) == HashKind::kSha256 ? "lfs_sha256" : "blob_id"] = file.etag;
  }
  const Json json = {{"format_version", kFormat}, {"files", files}};
  write_note(path, json.sorted().dump(1));
}

}  // namespace tritonrl::hub
