#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "data/rows/byte_source.h"

namespace tritonrl::data {

// The part of a source that is being looked at: from a mark up to a cursor, and what was read ahead. What lies before
// the mark is forgotten, so the memory is that of the longest text between mark and cursor and one read.
class JsonWindow {
 public:
  JsonWindow(std::unique_ptr<ByteSource> source, std::size_t read_bytes);

  // The byte at the cursor, or -1 at the source's end.
  int peek() { return at_ < end_ || fill() ? static_cast<unsigned char>(buffer_[at_]) : -1; }
  // The byte after that one. There must be one at the cursor.
  int peek_after() { return end_ - at_ >= 2 || fill() ? static_cast<unsigned char>(buffer_[at_ + 1]) : -1; }
  void advance(std::size_t count = 1) { at_ += count; }
  // What was read ahead; empty only at the source's end. Good until the next call of any kind but advance().
  std::string_view ahead() { return at_ < end_ || fill() ? std::string_view(buffer_.data() + at_, end_ - at_) : ""; }
  // Up to `bytes` from the cursor on, fewer only at the source's end. Good as long as ahead() is.
  std::string_view head(std::size_t bytes);

  void mark() { mark_ = at_; }
  // From the mark to the cursor. Good as long as ahead() is.
  std::string_view marked() const { return {buffer_.data() + mark_, at_ - mark_}; }
  // The cursor's place in the source.
  std::int64_t offset() const { return base_ + static_cast<std::int64_t>(at_); }

 private:
  bool fill();

  std::unique_ptr<ByteSource> source_;
  std::size_t read_bytes_;
  std::vector<char> buffer_;
  std::size_t mark_ = 0, at_ = 0, end_ = 0;
  std::int64_t base_ = 0;  // place of buffer_[0] in the source
  bool ended_ = false;
};

}  // namespace tritonrl::data
