#pragma once

#include <filesystem>
#include <string_view>

#include "base/unique_fd.h"

namespace tritonrl::base {

// A file that is written beside its place, as PATH.part, and takes that place when all of it is on the disk: a reader
// sees the old file or the new one. Whoever writes to the same place waits. What a killed writer left is written over
// by the next one. UserError if the place cannot be written.
class AsideFile {
 public:
  explicit AsideFile(std::filesystem::path path);
  ~AsideFile();  // without finish() the place stays as it was
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  void open();

  std::filesystem::path path_, aside_;
  UniqueFd fd_;
  bool finished_ = false;
};

}  // namespace tritonrl::base
