#include "base/aside_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::base {
namespace {

bool lock(int fd) {
  int result = 0;
  while ((result = ::flock(fd, LOCK_EX)) != 0 && errno == EINTR) {
  }
  return result == 0;
}

// Whoever waited for the lock may hold a file that its writer has renamed or removed meanwhile.
bool is_at(const std::filesystem::path& path, int fd) {
  struct stat here {
  }, held{};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &here) == 0 && here.st_ino == held.st_ino &&
         here.st_dev == held.st_dev;
}

}  // namespace

AsideFile::AsideFile(std::filesystem::path path) : path_(std::move(path)), aside_(path_.string() + ".part") {
  open();
  if (!lock(fd_.get())) {  // a file system without locks: nobody else may write to ours
    aside_ += "." + std::to_string(::getpid());
    open();
  }
  while (!is_at(aside_, fd_.get())) {
    open();
    lock(fd_.get());
  }
  if (::ftruncate(fd_.get(), 0) != 0) throw UserError("files", system_message("cannot write " + path_.string()));
}

AsideFile::~AsideFile() {
  if (!finished_) ::unlink(aside_.c_str());
}

void AsideFile::open() {
  fd_.reset(::open(aside_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!fd_) throw UserError("files", system_message("cannot write " + path_.string()) + "; choose another place");
}

void AsideFile::write(std::string_view bytes) {
  write_all(fd_.get(), bytes, path_);
}

void AsideFile::finish() {
  if (::fsync(fd_.get()) != 0 || ::rename(aside_.c_str(), path_.c_str()) != 0) {
    throw UserError("files", system_message("cannot write " + path_.string()));
  }
  finished_ = true;
}

}  // namespace tritonrl::base
