#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/message.h"

namespace tritonrl::http {

struct ParserLimits {
  std::size_t line = 8 << 10;   // bytes of the request line
  std::size_t head = 32 << 10;  // bytes of line and headers together
  std::size_t headers = 100;    // how many
  std::size_t body = 16 << 20;  // bytes
};

// Reads the requests of one connection, HTTP/1.0 and 1.1, from bytes that come in parts cut anywhere. Strict: what
// another reader could take for something else is refused. Holds no more than the limits and what it was fed at once.
class RequestParser {
 public:
  explicit RequestParser(const ParserLimits& limits) : limits_(limits) {}

  enum class State : std::uint8_t {
    kMore,    // bytes are missing
    kHead,    // line and headers are there: request() has them; said once, before the body is read
    kDone,    // the request is whole
    kFailed,  // it never will be: status() and problem() say why; nothing behind it can be read
  };

  void feed(std::string_view bytes) { buffer_ += bytes; }
  // As far as the bytes go. To be called again after kHead.
  State step();

  const Request& request() const { return request_; }
  // The whole request; what follows is the next one.
  Request take();

  int status() const { return status_; }
  const std::string& problem() const { return problem_; }

  // After kHead: bytes of a body are still to come, as far as is known; chunks count as many.
  bool body_follows() const { return chunked_ || left_ > 0; }
  bool long_body_follows() const { return chunked_ || left_ > kShortBody; }
  static constexpr std::uint64_t kShortBody = 64 << 10;
  bool is_http10() const { return http10_; }

  // Nothing more is read: what is held is freed.
  void give_up();

  // Whether a request has begun.
  bool begun() const { return stage_ != Stage::kHead || !buffer_.empty(); }
  // Bytes that are held.
  std::size_t held() const { return buffer_.size() + request_.body.size(); }

 private:
  enum class Stage : std::uint8_t { kHead, kBody, kChunkSize, kChunk, kChunkEnd, kTrailers, kDone, kFailed };

  State advance();
  State fail(int status, std::string problem);
  State read_head();
  State read_line(std::string_view line);
  State read_headers(std::string_view lines);
  State read_framing();
  State read_body();
  State read_chunks();
  bool take_line(std::string& line, std::size_t most);

  const ParserLimits limits_;
  std::string buffer_;
  std::size_t at_ = 0;        // what is left of the buffer begins here: it is cut once a step, not once a chunk
  std::size_t searched_ = 0;  // bytes of the buffer in which no end of the head begins
  Request request_;
  Stage stage_ = Stage::kHead;
  bool chunked_ = false, http10_ = false;
  std::uint64_t left_ = 0;    // of the body, or of the chunk
  std::size_t trailers_ = 0;  // bytes
  int status_ = 0;
  std::string problem_;
};

}  // namespace tritonrl::http
