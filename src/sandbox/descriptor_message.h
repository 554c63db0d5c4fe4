#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace tritonrl::sandbox {

// Of one message, and so of one frame.
inline constexpr std::size_t kMaxDescriptors = 64;

// One call of sendmsg on a local socket, with `flags`; its result, and errno. Where it is 1 or more, all of
// `descriptors` (at most kMaxDescriptors) are on their way and the rest of the bytes goes without them.
ssize_t send_some(int socket, std::string_view bytes, std::span<const int> descriptors, int flags);

struct ReceivedSome {
  ssize_t count = 0;       // what recvmsg gave, and errno
  bool truncated = false;  // more descriptors came than a message may have, or than this process may open
};

// One call of recvmsg. Appends the descriptors that came, close-on-exec and in order.
ReceivedSome receive_some(int socket, std::span<char> bytes, std::vector<base::UniqueFd>& descriptors);

}  // namespace tritonrl::sandbox
