#pragma once

#include <filesystem>

#include "base/unique_fd.h"

namespace tritonrl::hub {

// Held against other processes and threads while the object lives; made where huggingface_hub makes its own locks.
class FileLock {
 public:
  // Waits for whoever holds it. UserError if the file cannot be made.
  explicit FileLock(const std::filesystem::path& path);

  // False on a file system that knows no locks: then others may be at work, too.
  bool held() const { return held_; }

 private:
  base::UniqueFd fd_;
  bool held_ = false;
};

}  // namespace tritonrl::hub
