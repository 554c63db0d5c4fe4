#include "hub/part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/error.h"

namespace tritonrl::hub {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

}  // namespace

PartFile::PartFile(std::filesystem::path path, HashKind kind, std::optional<std::int64_t> size)
    : path_(std::move(path)), kind_(kind), size_(size) {
  fd_.reset(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd_) fail("cannot write");
  if (size_) hash_.emplace(kind_, *size_);
  read_what_is_there();
  if (size_ && bytes_ > *size_) restart();
}

void PartFile::fail(const std::string& what) const {
  const std::string why = base::system_message(what + " " + path_.string());
  throw base::UserError("hub", errno == ENOSPC || errno == EDQUOT ? why + "; make room, or set HF_HUB_CACHE" : why);
}

void PartFile::read_what_is_there() {
  std::vector<char> chunk(kChunk);
  if (::lseek(fd_.get(), 0, SEEK_SET) != 0) fail("cannot read");
  bytes_ = 0;
  while (true) {
    const ssize_t count = ::read(fd_.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot read");
    if (count == 0) return;
    if (hash_) hash_->add({chunk.data(), static_cast<std::size_t>(count)});
    bytes_ += count;
  }
}

void PartFile::restart() {
  if (::ftruncate(fd_.get(), 0) != 0 || ::lseek(fd_.get(), 0, SEEK_SET) != 0) fail("cannot write");
  bytes_ = 0;
  if (size_) hash_.emplace(kind_, *size_);
}

void PartFile::append(std::string_view bytes) {
  if (hash_) hash_->add(bytes);
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
    bytes_ += count;
  }
}

std::string PartFile::hash() {
  if (!hash_) {
    hash_.emplace(kind_, bytes_);
    read_what_is_there();
  }
  return hash_->hex();
}

void PartFile::publish(const std::filesystem::path& path) {
  if (::fsync(fd_.get()) != 0) fail("cannot write");
  if (std::rename(path_.c_str(), path.c_str()) != 0) fail("cannot give its name to");
  fd_.reset();
}

}  // namespace tritonrl::hub
