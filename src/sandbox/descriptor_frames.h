#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace tritonrl::sandbox {

// The process's side of what Job::send and Job::receive do: whole frames over the blocking channel, descriptor 3 of a
// sandboxed process. The other side is trusted, so a frame's length is.

// `descriptors` (at most kMaxDescriptors) go with the frame's first bytes. Without any the channel is only written to,
// which every policy allows; with them the policy must name devices. False if the other side is gone or refuses.
bool send_frame(int fd, std::string_view bytes, std::span<const int> descriptors = {});

// None at the end of the stream. What came with the frame is appended to `descriptors`, close-on-exec and in order.
// Null: none are expected and any are dropped; the channel is only read, which every policy allows.
std::optional<std::string> receive_frame(int fd, std::vector<base::UniqueFd>* descriptors = nullptr);

}  // namespace tritonrl::sandbox
