#include "runner/message.h"

#include <algorithm>

namespace tritonrl::runner {
namespace {

using base::Json;

// The sizes that the header names; none if they are no sizes or too many bytes.
std::optional<std::vector<std::size_t>> blob_sizes(const Json& header, std::int64_t max_bytes) {
  const Json* sizes = header.find("blobs");
  if (sizes == nullptr || !sizes->is_array()) return std::nullopt;
  std::vector<std::size_t> out;
  std::uint64_t left = static_cast<std::uint64_t>(max_bytes);
  for (const Json& size : *sizes) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > left) return std::nullopt;
    left -= size.get<std::uint64_t>();
    out.push_back(size.get<std::size_t>());
  }
  return out;
}

}  // namespace

bool send_message(MessageView message, const SendFrame& send) {
  Json sizes = Json::array();
  for (const std::string_view blob : message.blobs) sizes.push_back(blob.size());
  message.header["blobs"] = std::move(sizes);
  if (!send(message.header.dump())) return false;
  for (std::string_view blob : message.blobs) {
    while (!blob.empty()) {
      const std::size_t count = std::min(blob.size(), kMaxFrame);
      if (!send(blob.substr(0, count))) return false;
      blob.remove_prefix(count);
    }
  }
  return true;
}

std::optional<Message> receive_message(const ReceiveFrame& receive, std::int64_t max_bytes, bool* malformed) {
  bool ignored = false;
  bool& wrong = malformed != nullptr ? *malformed : ignored;
  wrong = false;
  const std::optional<std::string> text = receive();
  if (!text) return std::nullopt;
  std::optional<Json> header = Json::try_parse(*text);
  const auto sizes = header ? blob_sizes(*header, max_bytes) : std::nullopt;
  wrong = !sizes;
  if (wrong) return std::nullopt;
  Message out;
  out.header = *std::move(header);
  for (const std::size_t size : *sizes) {
    std::string blob;
    while (blob.size() < size) {
      std::optional<std::string> part = receive();
      if (!part) return std::nullopt;
      wrong = part->empty() || part->size() > size - blob.size();
      if (wrong) return std::nullopt;
      if (blob.empty())
        blob = std::move(*part);
      else
        blob += *part;
    }
    out.blobs.push_back(std::move(blob));
  }
  return out;
}

}  // namespace tritonrl::runner
