#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace tritonrl::weights {

// A regular file in memory, read-only, for as long as the object lives. Reading costs nothing until pages are touched.
class MappedFile {
 public:
  // UserError if the file is missing, empty, not a regular file, a Git LFS pointer, or may not be read.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // As long as the file was when it was opened. Who shortens the file afterwards kills the process that reads it: the
  // writers of this project replace files instead.
  std::span<const std::byte> bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  MappedFile(std::filesystem::path path, std::span<const std::byte> bytes);

  std::filesystem::path path_;
  std::span<const std::byte> bytes_;
};

}  // namespace tritonrl::weights
