#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/url.h"

namespace tritonrl::http {

struct ClientHead {
  long status = 0;                             // 0: no answer came
  std::map<std::string, std::string> headers;  // names in lower case

  // Empty where there is none.
  std::string header(const std::string& name) const;
};

struct ClientOptions {
  std::string endpoint;  // whoever it redirects to sees no token
  std::string token = {};
  std::int64_t connect_ms = 5'000;  // a server that does not take the connection by then cannot be reached
  // Words for messages: who asks, and where endpoint and token come from.
  std::string who = "http", endpoint_source = "the address", token_source = "the token";
};

struct ClientRequest {
  std::string url;
  bool head_only = false;                          // asks for the headers alone
  std::int64_t from = 0;                           // the first byte that is wanted
  std::int64_t idle_seconds = 30;                  // a transfer that stands still so long is broken off
  std::optional<std::string> body = std::nullopt;  // JSON: sent by POST. Redirects are not followed then
  std::function<bool()> cancelled = {};            // asked about once a second: true breaks it off
};

struct ClientAnswer {
  ClientHead first;          // the endpoint's own, which describes the file even where another host sends it
  ClientHead last;           // after redirects
  std::string where;         // the last address, for messages
  std::string problem;       // why no whole answer came; empty: it came
  bool unreachable = false;  // no connection could be made
  bool lasting = false;      // the problem will not pass: a certificate, a bad redirect
  bool stopped = false;      // the reader wanted no more, or it was cancelled
  std::string refusal;       // the beginning of the body of an answer with a status of 400 or more
  std::optional<std::int64_t> retry_after_seconds;  // what the server asked for

  bool ok() const { return problem.empty() && last.status >= 200 && last.status < 300; }
  // Whether the same request may well succeed a little later.
  bool passing() const;
};

// What becomes of the body of an answer with a status of 200 to 299. Either may say that it wants no more, or throw.
struct BodyReader {
  std::function<bool(const ClientHead& head)> begin;  // also for an empty body
  std::function<bool(std::string_view bytes)> take;
};

// The other side: asks one server, over one connection where that is possible. The token goes to the endpoint's scheme,
// host and port alone, not to where it redirects to. One thread at a time.
class Client {
 public:
  // UserError if the endpoint is no address or the token has characters that no header may have.
  explicit Client(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  ClientAnswer ask(const ClientRequest& request, const BodyReader& reader);

 private:
  struct Exchange;
  void exchange(const Url& url, const ClientRequest& request, const BodyReader& reader, ClientAnswer& answer);

  const ClientOptions options_;
  Url endpoint_;
  void* const handle_;
};

}  // namespace tritonrl::http
