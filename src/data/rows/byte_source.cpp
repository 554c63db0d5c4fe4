#include "data/rows/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::data {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : name_(path.string()), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (!fd_) throw base::UserError("data", base::system_message("cannot open " + name_));
    ::posix_fadvise(fd_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(fd_.get(), to, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) throw base::InfrastructureError("data", base::system_message("cannot read " + name_));
    }
  }

 private:
  std::string name_;
  base::UniqueFd fd_;
};

class MemorySource : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::size_t step) : rest_(bytes), step_(step) {}

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min({size, step_, rest_.size()});
    if (count > 0) std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t step_;
};

}  // namespace

std::unique_ptr<ByteSource> file_source(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::size_t step) {
  return std::make_unique<MemorySource>(bytes, step);
}

}  // namespace tritonrl::data
