#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "hub/content_hash.h"

namespace tritonrl::hub {

// The first bytes of a blob, and their hash as far as they came. What an earlier process left is taken over.
class PartFile {
 public:
  // `size` of the whole; none: not known, then the hash is computed at the end. UserError if it cannot be written.
  PartFile(std::filesystem::path path, HashKind kind, std::optional<std::int64_t> size);

  std::int64_t bytes() const { return bytes_; }
  // Forgets all bytes.
  void restart();
  // UserError on a full disk.
  void append(std::string_view bytes);
  // The hash of all bytes; ends the appending.
  std::string hash();
  // Gives the file its final name, with all bytes on the disk.
  void publish(const std::filesystem::path& path);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read_what_is_there();

  std::filesystem::path path_;
  base::UniqueFd fd_;
  HashKind kind_;
  std::optional<std::int64_t> size_;
  std::optional<ContentHash> hash_;
  std::int64_t bytes_ = 0;
};

}  // namespace tritonrl::hub
