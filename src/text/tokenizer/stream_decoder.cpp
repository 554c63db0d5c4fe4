#include "text/tokenizer/stream_decoder.h"

#include <utility>

#include "text/tokenizer/utf8.h"

namespace tritonrl::text {

StreamDecoder::StreamDecoder(Tokenizer tokenizer, bool skip_special)
    : tokenizer_(std::move(tokenizer)), skip_special_(skip_special) {}

std::string StreamDecoder::add(TokenId id) {
  if (skip_special_ && tokenizer_.is_special(id)) return {};
  pending_ += tokenizer_.bytes_of(id);
  std::size_t complete = 0;
  while (complete < pending_.size()) {
    const Utf8Start start = look_at_utf8(std::string_view(pending_).substr(complete));
    if (start.kind == Utf8Start::Kind::kIncomplete) break;
    complete += static_cast<std::size_t>(start.length);
  }
  std::string ready = replace_invalid_utf8(std::string_view(pending_).substr(0, complete));
  pending_.erase(0, complete);
  return ready;
}

std::string StreamDecoder::finish() {
  return replace_invalid_utf8(std::exchange(pending_, {}));
}

}  // namespace tritonrl::text
