#include "sandbox/descriptor_message.h"

#include <sys/socket.h>

#include <array>
#include <cstring>

#include "base/check.h"

namespace tritonrl::sandbox {
namespace {

struct alignas(cmsghdr) Control : std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> {};

}  // namespace

ssize_t send_some(int socket, std::string_view bytes, std::span<const int> descriptors, int flags) {
  TRL_CHECK(descriptors.size() <= kMaxDescriptors, "a message carries at most 64 descriptors");
  iovec part{.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  return sendmsg(socket, &message, flags);
}

ReceivedSome receive_some(int socket, std::span<char> bytes, std::vector<base::UniqueFd>& descriptors) {
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count < 0) return {.count = count};
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t came = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < came; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
  return {.count = count, .truncated = (message.msg_flags & MSG_CTRUNC) != 0};
}

}  // namespace tritonrl::sandbox
