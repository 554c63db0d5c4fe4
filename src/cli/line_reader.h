#pragma once

#include <cstddef>
#include <string>

namespace tritonrl::cli {

// Lines of a file or a pipe as they come.
class LineReader {
 public:
  enum class Next { kLine, kTooLong, kEnd, kStopped };

  // Reads `fd`, which stays the caller's. `stop_fd` ends the reading once it is readable; -1: nothing does.
  LineReader(int fd, int stop_fd, std::size_t limit) : fd_(fd), stop_fd_(stop_fd), limit_(limit) {}

  // kLine: the next line, without its newline and a byte-order mark before it; a last one without newline counts.
  // kTooLong: there was one of more than `limit` bytes; it was skipped. InfrastructureError if reading fails.
  Next next(std::string& line);

 private:
  bool fill();  // false: nothing came, by the end or by a stop

  const int fd_, stop_fd_;
  const std::size_t limit_;
  std::string buffer_;
  std::size_t at_ = 0, searched_ = 0;
  bool ended_ = false, stopped_ = false;
};

}  // namespace tritonrl::cli
