#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub.h"

namespace tritonrl::hub {

// One repository's folder in a cache of Hugging Face's layout: refs/<revision> holds a commit,
// snapshots/<commit>/<file> are links to blobs/<etag>. What is read here was written by other programs, too.
class CacheFolder {
 public:
  // UserError for a name or revision that cannot be one, and where no cache is known.
  CacheFolder(const Repository& repository, const HubOptions& options);

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path snapshot(const std::string& commit) const { return root_ / "snapshots" / commit; }
  std::filesystem::path blob(const std::string& etag) const { return root_ / "blobs" / etag; }
  std::filesystem::path lock(const std::string& etag) const;

  // The commit that the revision means, as far as the cache knows; its snapshot need not be there.
  std::optional<std::string> commit(std::string* problem) const;
  // Notes what the server said of the revision.
  void set_commit(const std::string& commit) const;

  // Whether the snapshot has the file, of this size if that is known.
  bool has_file(const std::string& commit, const std::string& file, std::optional<std::int64_t> size) const;
  // All files of the snapshot, by name.
  std::vector<std::string> files(const std::string& commit) const;
  // Lets the snapshot's file be the blob, which must be there.
  void link(const std::string& commit, const std::string& file, const std::string& etag) const;

 private:
  std::filesystem::path cache_, root_;
  std::string revision_;
};

// 40 hexadecimal digits: what Git calls a commit.
bool is_commit(std::string_view text);
// Whether a path from outside stays below the folder that it is put into: relative, with parts that are names.
bool is_safe_path(std::string_view path);
// With all folders above. UserError says which could not be made.
void make_folders(const std::filesystem::path& folder);
// A small file, with its folders; several threads may write the same one.
void write_note(const std::filesystem::path& path, std::string_view text);
// A regular file, or a link to one; of this size if one is given.
bool is_file_of(const std::filesystem::path& path, std::optional<std::int64_t> size);

}  // namespace tritonrl::hub
