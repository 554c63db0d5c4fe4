#include "sandbox/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::int64_t kBlock = 512;  // st_blocks counts in these whatever the file system's own size

struct CloseDir {
  void operator()(DIR* dir) const { closedir(dir); }
};
using Folder = std::unique_ptr<DIR, CloseDir>;

Folder open_folder(int parent, const char* name) {
  base::UniqueFd fd(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return nullptr;
  Folder folder(fdopendir(fd.get()));
  if (folder) fd.release();
  return folder;
}

// The next entry that is not the folder itself or its parent; null at the end.
const char* next_name(DIR* folder) {
  while (const dirent* entry = readdir(folder)) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) return entry->d_name;
  }
  return nullptr;
}

bool is_unlinked(std::string_view target, std::string_view folder) {
  return target.starts_with(folder) && target.ends_with(" (deleted)");
}

bool is_folder(int parent, const char* name) {
  struct stat about {};
  return fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
}

// Best effort: a folder that stays closed fails at the next step, which is checked.
void make_ours(int top, const char* name) {
  if (fchmodat(top, name, 0700, 0) != 0) errno = 0;
}

// Empties folder `name` of `top`: files are unlinked, folders moved up into `top`. A tree of any depth thus needs two
// descriptors and no long path.
void flatten(int top, const char* name, std::uint64_t& moved) {
  if (!is_folder(top, name)) return;
  make_ours(top, name);
  const Folder folder = open_folder(top, name);
  if (!folder) return;
  const int fd = dirfd(folder.get());
  while (const char* entry = next_name(folder.get())) {
    if (unlinkat(fd, entry, 0) == 0 || !is_folder(fd, entry)) continue;
    // Moving a folder rewrites its "..", which needs the right to write in it.
    make_ours(fd, entry);
    renameat(fd, entry, top, (".moved-" + std::to_string(moved++)).c_str());
  }
}

// True if it removed or moved anything.
bool sweep(int top, std::uint64_t& moved) {
  bool progress = false;
  const Folder folder = open_folder(top, ".");
  if (!folder) return false;
  while (const char* name = next_name(folder.get())) {
    if (unlinkat(top, name, 0) == 0 || unlinkat(top, name, AT_REMOVEDIR) == 0) {
      progress = true;
      continue;
    }
    const std::uint64_t before = moved;
    flatten(top, name, moved);
    progress |= unlinkat(top, name, AT_REMOVEDIR) == 0 || moved != before;
  }
  return progress;
}

}  // namespace

std::string make_scratch(const std::string& place) {
  // The kernel names a process's files by their real paths; so must we, to find ours among them.
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(place.c_str(), nullptr), &std::free);
  std::string folder = (real ? std::string(real.get()) : place) + "/tritonrl-XXXXXX";
  if (!real || mkdtemp(folder.data()) == nullptr) {
    throw base::InfrastructureError("sandbox", base::system_message("a scratch folder in " + place));
  }
  return folder;
}

bool remove_scratch(const std::string& folder) {
  {
    const base::UniqueFd top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    std::uint64_t moved = 0;
    while (top && sweep(top.get(), moved)) {
    }
  }
  return rmdir(folder.c_str()) == 0;
}

std::optional<std::string> scratch_exceeded(const std::string& folder, const Policy& policy) {
  std::int64_t files = 0, bytes = 0;
  std::vector<std::string> left{folder};
  while (!left.empty()) {
    const std::string path = std::move(left.back());
    left.pop_back();
    const Folder open = open_folder(AT_FDCWD, path.c_str());
    if (!open && (errno == EACCES || errno == ENAMETOOLONG)) {
      return base::system_message("a folder in the scratch folder cannot be counted");
    }
    while (const char* name = open ? next_name(open.get()) : nullptr) {
      struct stat about {};
      if (fstatat(dirfd(open.get()), name, &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
      bytes += about.st_blocks * kBlock;
      if (++files > policy.scratch_files) {
        return "more than " + std::to_string(policy.scratch_files) + " files in the scratch folder";
      }
      if (bytes > policy.scratch_bytes) {
        return "more than " + std::to_string(policy.scratch_bytes) + " bytes in the scratch folder";
      }
      if (S_ISDIR(about.st_mode)) left.push_back(path + "/" + name);
    }
  }
  return std::nullopt;
}

bool holds_unlinked(int proc, int pid, const std::string& folder) {
  const std::string process = std::to_string(pid);
  if (const Folder open = open_folder(proc, (process + "/fd").c_str())) {
    while (const char* name = next_name(open.get())) {
      std::array<char, PATH_MAX> target{};
      const ssize_t length = readlinkat(dirfd(open.get()), name, target.data(), target.size());
      if (length > 0 && is_unlinked({target.data(), static_cast<std::size_t>(length)}, folder)) return true;
    }
  }
  std::ifstream maps("/proc/self/fd/" + std::to_string(proc) + "/" + process + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && is_unlinked(std::string_view(line).substr(path), folder)) return true;
  }
  return false;
}

std::int64_t free_bytes(const std::string& folder) {
  struct statvfs about {};
  if (statvfs(folder.c_str(), &about) != 0) return 0;
  return static_cast<std::int64_t>(about.f_bavail) * static_cast<std::int64_t>(about.f_frsize);
}

}  // namespace tritonrl::sandbox
