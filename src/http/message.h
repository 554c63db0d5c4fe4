#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tritonrl::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // "GET"; any token that a client sends
  std::string path;    // without percent signs' escapes
  std::string query;   // as it came, without '?'
  Headers headers;     // names in lower case, in the order in which they came
  std::string body;
  bool keep_alive = true;         // the client wants to ask again over this connection
  bool expects_continue = false;  // it waits for a word before it sends the body

  // The first of that name (in lower case); empty where there is none.
  std::string_view header(std::string_view name) const;
};

struct Answer {
  int status = 200;
  std::string body;
  std::string type = "application/json";
  Headers headers = {};  // beside those that describe the message
};

// "Not Found"
std::string_view reason_of(int status);

enum class Framing {
  kLength,   // the whole body is in the answer
  kChunked,  // it follows in chunks
  kUntilEnd  // it follows, until the connection is closed: for clients of HTTP/1.0
};

// The bytes of an answer, up to where its body begins, or with it (kLength, unless `head_only`).
std::string written(const Answer& answer, Framing framing, bool keep_alive, bool head_only);

// `bytes` as one chunk; empty ones would end the body.
std::string chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace tritonrl::http
