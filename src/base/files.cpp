#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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
  const std::filesystem::path aside = path.string() + ".part." + std::to_string(::getpid());
  UniqueFd fd(::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) throw UserError("files", system_message("cannot write " + path.string()) + "; choose another place");
  try {
    write_all(fd.get(), text, path);
  } catch (const UserError&) {
    ::unlink(aside.c_str());
    throw;
  }
  if (::fsync(fd.get()) != 0 || ::rename(aside.c_str(), path.c_str()) != 0) {
    const std::string message = system_message("cannot write " + path.string());
    ::unlink(aside.c_str());
    throw UserError("files", message);
  }
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

}  // namespace tritonrl::base
