#include "data/rows/json_window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tritonrl::data {

JsonWindow::JsonWindow(std::unique_ptr<ByteSource> source, std::size_t read_bytes)
    : source_(std::move(source)), read_bytes_(read_bytes), buffer_(read_bytes) {}

bool JsonWindow::fill() {
  if (ended_) return false;
  if (mark_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + mark_, end_ - mark_);
    base_ += static_cast<std::int64_t>(mark_);
    at_ -= mark_;
    end_ -= mark_;
    mark_ = 0;
  }
  if (end_ < read_bytes_ && buffer_.size() > 8 * read_bytes_) {
    buffer_.resize(2 * read_bytes_);  // what a long text needed is given back
    buffer_.shrink_to_fit();
  }
  // Twice as large, not one read larger: else a long text is moved once a read.
  if (buffer_.size() - end_ < read_bytes_) buffer_.resize(end_ + (end_ > read_bytes_ ? end_ : read_bytes_));
  const std::size_t count = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  ended_ = count == 0;
  end_ += count;
  return count > 0;
}

std::string_view JsonWindow::head(std::size_t bytes) {
  while (end_ - at_ < bytes && fill()) {
  }
  return {buffer_.data() + at_, std::min(bytes, end_ - at_)};
}

}  // namespace tritonrl::data
