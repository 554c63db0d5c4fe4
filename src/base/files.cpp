#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/aside_file.h"
#include "base/error.h"
#include "base/git_lfs.h"
#include "base/unique_fd.h"

namespace tritonrl::base {

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    throw UserError("files", system_message(path.string()) + (errno == ENOENT ? "; check the path" : ""));
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    throw UserError("files", path.string() + ": is a directory; name a file inside it");
  }
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t n = ::read(fd.get(), block, sizeof(block));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError("files", system_message(path.string()));
    if (n == 0) break;
    text.append(block, static_cast<std::size_t>(n));
    if (text.size() > limit) {
      throw UserError("files", path.string() + ": longer than " + std::to_string(limit) + " bytes");
    }
  }
  if (is_git_lfs_pointer(text)) throw UserError("files", path.string() + ": " + std::string(kGitLfsComplaint));
  return text;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AsideFile out(path);
  out.write(text);
  out.finish();
}

void write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError("files", system_message("cannot write " + path.string()));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void make_folder_of(const std::filesystem::path& file) {
  if (!file.has_parent_path()) return;
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  if (failure) {
    throw UserError("files",
                    "cannot make " + file.parent_path().string() + ": " + failure.message() + "; choose another place");
  }
}

std::string file_stamp(const std::filesystem::path& path) {
  struct stat state {};
  if (stat(path.c_str(), &state) != 0) return path.string() + " -";
  return path.string() + " " + std::to_string(state.st_ino) + " " + std::to_string(state.st_size) + " " +
         std::to_string(state.st_mtim.tv_sec) + "." + std::to_string(state.st_mtim.tv_nsec);
}

}  // namespace tritonrl::base
