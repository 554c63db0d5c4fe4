#include "sandbox/frames.h"

#include <algorithm>
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
  if (!rest_.empty() || whole()) {
    rest_.append(bytes);
    return;
  }
  const std::size_t of_header = std::min(bytes.size(), kFrameHeader - header_.size());
  header_.append(bytes.substr(0, of_header));
  bytes.remove_prefix(of_header);
  const auto size = length();
  if (!size || *size > max_bytes_) {  // nothing of it is read
    rest_.append(bytes);
    return;
  }
  // at once: a large frame comes in many pieces, and growing with each would copy all that came before
  if (of_header > 0) frame_.reserve(*size);
  const std::size_t of_frame = std::min(bytes.size(), *size - frame_.size());
  frame_.append(bytes.substr(0, of_frame));
  rest_.append(bytes.substr(of_frame));
}

std::optional<std::size_t> FrameReader::length() const {
  if (header_.size() < kFrameHeader) return std::nullopt;
  return frame_length(header_);
}

bool FrameReader::whole() const {
  const auto size = length();
  return size && frame_.size() == *size;
}

std::optional<std::string> FrameReader::next() {
  if (!whole()) return std::nullopt;
  std::string out = std::exchange(frame_, {});
  header_.clear();
  if (const std::string rest = std::exchange(rest_, {}); !rest.empty()) append(rest);
  return out;
}

bool FrameReader::malformed() const {
  const auto size = length();
  if (size && *size > max_bytes_) return true;
  return ended_ && !header_.empty() && !whole();
}

}  // namespace tritonrl::sandbox
