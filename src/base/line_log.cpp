#include "base/line_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.h"
#include "base/error.h"
#include "base/files.h"

namespace tritonrl::base {

LineLog::LineLog(const std::filesystem::path& path) : path_(path) {
  make_folder_of(path);
  fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd_) throw UserError("files", system_message("cannot write " + path.string()) + "; choose another place");
  if (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0)
    throw UserError("files", path.string() + ": is being written by another process; wait for it");
  // a torn line must not become the beginning of the next one
  keep(lines().size());
}

std::string LineLog::text() const {
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t n = ::pread(fd_.get(), block, sizeof(block), static_cast<off_t>(text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError("files", system_message(path_.string()));
    if (n == 0) return text;
    text.append(block, static_cast<std::size_t>(n));
  }
}

std::vector<std::string> LineLog::lines() const {
  const std::string all = text();
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
    out.push_back(all.substr(at, end - at));
  return out;
}

void LineLog::keep(std::size_t count) {
  const std::string all = text();
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = all.find('\n', at);
    TRL_CHECK(end != std::string::npos, "more lines are kept than there are");
    at = end + 1;
  }
  if (::ftruncate(fd_.get(), static_cast<off_t>(at)) != 0 || ::lseek(fd_.get(), static_cast<off_t>(at), SEEK_SET) < 0)
    throw UserError("files", system_message("cannot write " + path_.string()));
}

void LineLog::append(std::string_view line) {
  // in one piece: whoever reads meanwhile sees whole lines
  write_all(fd_.get(), std::string(line) + "\n", path_);
}

void LineLog::sync() {
  if (::fsync(fd_.get()) != 0) throw UserError("files", system_message("cannot write " + path_.string()));
}

}  // namespace tritonrl::base
