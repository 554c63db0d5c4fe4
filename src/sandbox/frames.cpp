#include "sandbox/frames.h"

#include <utility>

namespace tritonrl::sandbox {

std::string frame_header(std::size_t length) {
  std::string out;
  for (std::size_t i = 0; i < kFrameHeader; ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
  return out;
}

std::size_t frame_length(std::string_view header) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < kFrameHeader; ++i) {
    out |= static_cast<std::size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  }
  return out;
}

void FrameReader::append(std::string_view bytes) {
  buffer_.append(bytes);
}

std::optional<std::size_t> FrameReader::length() const {
  if (buffer_.size() < kFrameHeader) return std::nullopt;
  return frame_length(buffer_);
}

std::optional<std::string> FrameReader::next() {
  const auto size = length();
  if (!size || *size > max_bytes_ || buffer_.size() < kFrameHeader + *size) return std::nullopt;
  std::string rest = buffer_.substr(kFrameHeader + *size);
  buffer_.resize(kFrameHeader + *size);
  buffer_.erase(0, kFrameHeader);
  return std::exchange(buffer_, std::move(rest));
}

bool FrameReader::malformed() const {
  const auto size = length();
  if (size && *size > max_bytes_) return true;
  return ended_ && !buffer_.empty() && !(size && buffer_.size() >= kFrameHeader + *size);
}

}  // namespace tritonrl::sandbox
