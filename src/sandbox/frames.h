#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::sandbox {

// A frame is four bytes of length, little end first, and that many bytes.
inline constexpr std::size_t kFrameHeader = 4;

std::string frame_header(std::size_t length);
// Of the first kFrameHeader bytes of `header`.
std::size_t frame_length(std::string_view header);

// Cuts a stream of untrusted bytes into frames. Memory is touched as bytes come, whatever length they claim.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void append(std::string_view bytes);
  // The next whole frame, if it is there.
  std::optional<std::string> next();
  // The stream is at its end.
  void end() { ended_ = true; }
  // A frame claims more than `max_bytes`, or the stream ended inside one. Nothing can be read any more.
  bool malformed() const;

 private:
  std::optional<std::size_t> length() const;
  bool whole() const;

  std::size_t max_bytes_;
  std::string header_, frame_;  // of the frame that is being read
  std::string rest_;            // bytes behind it
  bool ended_ = false;
};

}  // namespace tritonrl::sandbox
