#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hub/hub.h"
#include "hub/url.h"

namespace tritonrl::hub {

struct HttpHead {
  long status = 0;                             // 0: no answer came
  std::map<std::string, std::string> headers;  // names in lower case

  // Empty where there is none.
  std::string header(const std::string& name) const;
};

struct HttpRequest {
  std::string url;
  bool head_only = false;          // asks for the headers alone
  std::int64_t from = 0;           // the first byte that is wanted
  std::int64_t idle_seconds = 30;  // as HubOptions
};

struct HttpAnswer {
  HttpHead first;            // the endpoint's own, which describes the file even where another host sends it
  HttpHead last;             // after redirects
  std::string where;         // the last address, for messages
  std::string problem;       // why no whole answer came; empty: it came
  bool unreachable = false;  // no connection could be made
  bool lasting = false;      // the problem will not pass: a certificate, a bad redirect
  bool stopped = false;      // the reader wanted no more
  std::optional<std::int64_t> retry_after_seconds;  // what the server asked for

  bool ok() const { return problem.empty() && last.status >= 200 && last.status < 300; }
  // Whether the same request may well succeed a little later.
  bool passing() const;
};

// What becomes of the body of an answer with a status of 200 to 299. Either may say that it wants no more, or throw.
struct BodyReader {
  std::function<bool(const HttpHead& head)> begin;  // also for an empty body
  std::function<bool(std::string_view bytes)> take;
};

// Asks one server, over one connection where that is possible. The token goes to the endpoint's scheme, host and port
// alone, not to where it redirects to. One thread at a time.
class HttpClient {
 public:
  // UserError if the endpoint is no address or the token has characters that no header may have.
  explicit HttpClient(const HubOptions& options);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer get(const HttpRequest& request, const BodyReader& reader);

 private:
  struct Exchange;
  void exchange(const Url& url, const HttpRequest& request, const BodyReader& reader, HttpAnswer& answer);

  const HubOptions options_;
  Url endpoint_;
  void* const handle_;
};

}  // namespace tritonrl::hub
