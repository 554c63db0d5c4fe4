#include "weights/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/error.h"
#include "base/git_lfs.h"
#include "base/unique_fd.h"

namespace tritonrl::weights {

MappedFile::MappedFile(std::filesystem::path path, std::span<const std::byte> bytes)
    : path_(std::move(path)), bytes_(bytes) {}

MappedFile::~MappedFile() {
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // Non-blocking, so that a pipe with nobody at its other end is refused below instead of waited for.
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) throw base::UserError("weights", base::system_message("cannot read " + path.string()) + "; check the path");
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) throw base::UserError("weights", base::system_message(path.string()));
  if (S_ISDIR(info.st_mode)) {
    throw base::UserError("weights", path.string() + ": is a directory; name a file inside it");
  }
  if (!S_ISREG(info.st_mode)) {
    throw base::UserError("weights", path.string() + ": is not a regular file; copy the model to a disk");
  }
  if (info.st_size == 0) {
    throw base::UserError("weights", path.string() + ": is empty; the copy or download did not finish");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (address == MAP_FAILED) throw base::InfrastructureError("weights", base::system_message("mmap " + path.string()));
  std::shared_ptr<const MappedFile> file(new MappedFile(path, std::span(static_cast<const std::byte*>(address), size)));
  if (base::is_git_lfs_pointer({static_cast<const char*>(address), size}))
    throw base::UserError("weights", path.string() + ": " + std::string(base::kGitLfsComplaint));
  return file;
}

}  // namespace tritonrl::weights
