#include "sandbox/descriptor_frames.h"

#include <sys/socket.h>
#include <unistd.h>
#include <cstdint>

#include <array>
#include <cerrno>

#include "base/check.h"
#include "sandbox/descriptor_message.h"
#include "sandbox/frames.h"

namespace tritonrl::sandbox {
namespace {

bool write_all(int fd, std::string_view bytes, std::span<const int> descriptors) {
  while (!bytes.empty()) {
    const ssize_t count =
        descriptors.empty() ? write(fd, bytes.data(), bytes.size()) : send_some(fd, bytes, descriptors, MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      descriptors = {};
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

// Descriptors that come with bytes that are read without asking for them are lost, hence all by the same call.
bool read_all(int fd, std::span<char> bytes, std::vector<base::UniqueFd>* descriptors) {
  while (!bytes.empty()) {
    const ReceivedSome some = descriptors == nullptr ? ReceivedSome{.count = read(fd, bytes.data(), bytes.size())}
                                                     : receive_some(fd, bytes, *descriptors);
    if (some.truncated) return false;
    if (some.count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(some.count));
    } else if (some.count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool send_frame(int fd, std::string_view bytes, std::span<const int> descriptors) {
  TRL_CHECK(bytes.size() <= UINT32_MAX, "a message fits a frame");
  return write_all(fd, frame_header(bytes.size()), descriptors) && write_all(fd, bytes, {});
}

std::optional<std::string> receive_frame(int fd, std::vector<base::UniqueFd>* descriptors) {
  std::array<char, kFrameHeader> header{};
  if (!read_all(fd, header, descriptors)) return std::nullopt;
  std::string out(frame_length({header.data(), header.size()}), '\0');
  if (!read_all(fd, out, descriptors)) return std::nullopt;
  return out;
}

}  // namespace tritonrl::sandbox
