#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct Curl_URL;

namespace tritonrl::http {

// An address that may be asked: http or https, with a host. Taken apart by libcurl's own parser, so that what is
// checked here is what is asked.
class Url {
 public:
  static std::optional<Url> parse(const std::string& text);

  // Where a Location header leads from here. None if it is no such address, or leaves https for http.
  std::optional<Url> redirected(const std::string& location) const;
  // The same scheme, host and port: who may see a token.
  bool same_origin(const Url& other) const;

  std::string text() const;
  // Without a user, a password, or a query (which may be a signature): for messages.
  std::string shown() const;

 private:
  struct Free {
    void operator()(Curl_URL* url) const;
  };
  explicit Url(Curl_URL* url) : url_(url) {}
  std::string part(int which) const;
  std::unique_ptr<Curl_URL, Free> url_;
};

// Percent signs for all bytes but letters, digits, "-_.~" and those in `kept`.
std::string percent_encoded(std::string_view text, std::string_view kept);

}  // namespace tritonrl::http
