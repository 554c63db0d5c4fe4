#include "hub/cache_folder.h"

#include <algorithm>
#include <mutex>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "hub/content_hash.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

std::string folder_name(const Repository& repository) {
  std::string name = repository.id;
  if (const std::size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
  return (repository.kind == Repository::Kind::kDataset ? "datasets--" : "models--") + name;
}

}  // namespace

bool is_commit(std::string_view text) {
  return hash_kind(text) == HashKind::kGitBlob;
}

bool is_safe_path(std::string_view path) {
  if (path.empty() || path.size() > 1024) return false;
  if (std::any_of(path.begin(), path.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; }))
    return false;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.size() > 255) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw base::UserError("hub", "cannot make the folder " + folder.string() + ": " + error.message());
}

void write_note(const fs::path& path, std::string_view text) {
  static std::mutex mutex;  // the name aside is the same in all threads of a process
  const std::lock_guard lock(mutex);
  make_folders(path.parent_path());
  base::write_file_atomically(path, text);
}

bool is_file_of(const fs::path& path, std::optional<std::int64_t> size) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  return !size || static_cast<std::int64_t>(fs::file_size(path, error)) == *size;
}

CacheFolder::CacheFolder(const Repository& repository, const HubOptions& options)
    : cache_(options.cache), root_(options.cache / folder_name(repository)), revision_(repository.revision) {
  if (!is_repository_id(repository.id)) {
    throw base::UserError("hub", "\"" + repository.id + "\" is no name of a repository; those are owner/name");
  }
  if (!is_safe_path(revision_)) throw base::UserError("hub", "\"" + revision_ + "\" is no revision of a repository");
  if (cache_.empty()) {
    throw base::UserError("hub", "no folder is known for Hugging Face's cache; set HOME, HF_HOME or HF_HUB_CACHE");
  }
}

fs::path CacheFolder::lock(const std::string& etag) const {
  return cache_ / ".locks" / root_.filename() / (etag + ".lock");
}

std::optional<std::string> CacheFolder::commit(std::string* problem) const {
  if (is_commit(revision_)) return revision_;
  const auto lacking = [&](const std::string& what) {
    if (problem != nullptr) *problem = what;
    return std::nullopt;
  };
  std::error_code ignored;
  const fs::path reference = root_ / "refs" / revision_;
  if (!fs::is_directory(root_, ignored)) return lacking(root_.string() + " does not exist");
  if (!is_file_of(reference, std::nullopt)) return lacking(reference.string() + " does not exist");
  std::string text = base::read_file(reference, 4096);
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  if (!is_safe_path(text) || text.find('/') != std::string::npos) {
    return lacking(reference.string() + " does not hold the name of a snapshot");
  }
  return text;
}

void CacheFolder::set_commit(const std::string& commit) const {
  if (revision_ == commit) return;
  const fs::path reference = root_ / "refs" / revision_;
  if (is_file_of(reference, commit.size()) && base::read_file(reference, 4096) == commit) return;
  write_note(reference, commit);
}

bool CacheFolder::has_file(const std::string& commit, const std::string& file, std::optional<std::int64_t> size) const {
  return is_file_of(snapshot(commit) / file, size);
}

std::vector<std::string> CacheFolder::files(const std::string& commit) const {
  std::vector<std::string> names;
  std::error_code ignored;
  const fs::path folder = snapshot(commit);
  for (auto entry = fs::recursive_directory_iterator(folder, ignored); entry != fs::recursive_directory_iterator();
       entry.increment(ignored)) {
    if (is_file_of(entry->path(), std::nullopt)) names.push_back(entry->path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void CacheFolder::link(const std::string& commit, const std::string& file, const std::string& etag) const {
  const fs::path pointer = snapshot(commit) / file, target = blob(etag);
  make_folders(pointer.parent_path());
  std::error_code error;
  fs::remove(pointer, error);  // it may dangle, or be a file of the wrong size
  // Relative, so that the cache can be moved.
  fs::create_symlink(target.lexically_relative(pointer.parent_path()), pointer, error);
  if (!error || is_file_of(pointer, std::nullopt)) return;  // the latter: another process was quicker
  // A file system without symbolic links: the snapshot has the file itself.
  fs::create_hard_link(target, pointer, error);
  if (error) fs::copy_file(target, pointer, error);
  if (error) throw base::UserError("hub", "cannot put " + pointer.string() + " into the cache: " + error.message());
}

}  // namespace tritonrl::hub
