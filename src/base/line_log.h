#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace tritonrl::base {

// A file of lines that grows while work goes on and is taken up again after a kill at any moment: a last line without
// its newline was torn and is no line. One process at a time. For one thread at a time.
class LineLog {
 public:
  // Opens or makes the file and the folders above it. UserError if it cannot be written, or another process writes it.
  explicit LineLog(const std::filesystem::path& path);

  // The lines that were there, without newlines. Read again at each call.
  std::vector<std::string> lines() const;
  // The first `count` lines stay, all behind them go, torn ones too. To be called before the first append.
  void keep(std::size_t count);
  // A line without newline. UserError if the disk is full.
  void append(std::string_view line);
  // Returns once what was written is on the disk.
  void sync();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::string text() const;

  std::filesystem::path path_;
  UniqueFd fd_;
};

}  // namespace tritonrl::base
