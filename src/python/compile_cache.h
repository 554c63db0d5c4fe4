#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::python {

// Finished compilations on disk, one file each, by a key of 64 hexadecimal digits. Several processes may share a
// folder. Thread-safe. Nothing is ever removed.
class CompileCache {
 public:
  // Makes the folder. UserError with the folder and the fix if it cannot be written.
  explicit CompileCache(std::filesystem::path folder);

  // Nothing for an entry that is missing, cut or changed.
  std::optional<std::string> find(std::string_view key) const;
  // UserError if the folder cannot be written.
  void store(std::string_view key, std::string_view bytes);

 private:
  std::filesystem::path file_of(std::string_view key) const;

  std::filesystem::path folder_;
  std::mutex mutex_;
};

}  // namespace tritonrl::python
