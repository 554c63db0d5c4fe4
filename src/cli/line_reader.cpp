#include "cli/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/error.h"

namespace tritonrl::cli {

namespace {

// Some editors put it before the first line; where files were joined it stands before others.
void drop_byte_order_mark(std::string& line) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (line.starts_with(kMark)) line.erase(0, kMark.size());
}

}  // namespace

LineReader::Next LineReader::next(std::string& line) {
  bool too_long = false;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      line.assign(buffer_, at_, end - at_);
      at_ = searched_ = end + 1;
      drop_byte_order_mark(line);
      return too_long || line.size() > limit_ ? Next::kTooLong : Next::kLine;
    }
    searched_ = buffer_.size();
    if (searched_ - at_ > limit_) {
      too_long = true;
      at_ = searched_;
    }
    if (fill()) continue;
    if (stopped_) return Next::kStopped;
    if (too_long) {
      at_ = searched_ = buffer_.size();
      return Next::kTooLong;
    }
    if (at_ == buffer_.size()) return Next::kEnd;
    line.assign(buffer_, at_);
    at_ = searched_ = buffer_.size();
    drop_byte_order_mark(line);
    return Next::kLine;
  }
}

bool LineReader::fill() {
  if (ended_ || stopped_) return false;
  buffer_.erase(0, at_);
  searched_ -= at_;
  at_ = 0;
  for (;;) {
    pollfd fds[2] = {{fd_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0) {
      if (errno == EINTR) continue;
      throw base::InfrastructureError("batch", base::system_message("poll"));
    }
    if (fds[1].revents != 0) {
      stopped_ = true;
      return false;
    }
    const std::size_t old = buffer_.size();
    buffer_.resize(old + 65536);
    const ssize_t n = ::read(fd_, buffer_.data() + old, 65536);
    const int error = errno;
    buffer_.resize(old + (n > 0 ? static_cast<std::size_t>(n) : 0));
    if (n > 0) return true;
    if (n < 0 && (error == EINTR || error == EAGAIN)) continue;
    errno = error;
    if (n < 0) throw base::InfrastructureError("batch", base::system_message("reading the input"));
    ended_ = true;
    return false;
  }
}

}  // namespace tritonrl::cli
