#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace tritonrl::runner {

inline constexpr std::size_t kMaxFrame = std::size_t{64} << 20;

// How a process exits whose request has taken its time (RunRequest::wall_ms) without an answer.
inline constexpr int kTimeIsOver = 74;

// What goes between the runner and its process: a JSON header, and bytes that JSON would only bloat. On the wire: the
// header as one frame, with the sizes of the blobs in its field "blobs", then each blob in frames of at most kMaxFrame
// bytes.
struct Message {
  base::Json header = base::Json::object();
  std::vector<std::string> blobs;
};

struct MessageView {  // the same without owning the bytes
  base::Json header = base::Json::object();
  std::vector<std::string_view> blobs;
};

using SendFrame = std::function<bool(std::string_view)>;
using ReceiveFrame = std::function<std::optional<std::string>()>;

// False when a frame could not be sent.
bool send_message(MessageView message, const SendFrame& send);

// None when the stream ends or holds something else. Blobs of more than `max_bytes` in all are refused before they are
// read. `malformed` (may be null) tells the second case from the first.
std::optional<Message> receive_message(const ReceiveFrame& receive, std::int64_t max_bytes, bool* malformed);

}  // namespace tritonrl::runner
