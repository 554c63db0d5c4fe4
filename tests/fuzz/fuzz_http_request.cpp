// Requests over HTTP, from any bytes: however they are cut, the same requests come out or the same refusal, and no more
// is held than the limits allow.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/request_parser.h"

using namespace tritonrl;

namespace {

constexpr http::ParserLimits kLimits{.line = 200, .head = 600, .headers = 10, .body = 1000};

// All that comes out, as text.
std::string read(std::string_view bytes, std::size_t step) {
  using State = http::RequestParser::State;
  http::RequestParser parser(kLimits);
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::size_t fed = std::min(step, bytes.size() - at);
    parser.feed(bytes.substr(at, fed));
    for (State state = parser.step(); state != State::kMore; state = parser.step()) {
      if (state == State::kFailed) return out + "refused " + std::to_string(parser.status()) + parser.problem();
      if (state != State::kDone) continue;
      const http::Request request = parser.take();
      out += request.method + " " + request.path + "?" + request.query + "\n";
      for (const auto& [name, value] : request.headers) out.append(name).append("=").append(value).append("\n");
      out += request.body + (request.keep_alive ? "+" : "-") + (request.expects_continue ? "e\n" : "\n");
      TRL_CHECK(request.body.size() <= kLimits.body, "a body within its limit");
    }
    TRL_CHECK(parser.held() <= fed + kLimits.head + kLimits.body + kLimits.line + 300, "what is held is bounded");
  }
  return out + (parser.begun() ? "begun" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = read(bytes, std::max<std::size_t>(1, size));
  TRL_CHECK(read(bytes, 1) == whole, "the same byte by byte");
  TRL_CHECK(read(bytes, 7) == whole, "the same in parts");
  return 0;
}
