#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/server.h"
#include "serve/metrics.h"
#include "serve/route.h"

namespace tritonrl::serve {

// "application/json" of "Application/JSON; charset=utf-8".
std::string media_type(std::string_view header);

// Finds the route of a request and holds it against what the route wants: token, method, form. Knows nothing of what
// routes do.
class Service : public http::Handler {
 public:
  // `token` empty: none is asked for. `metrics` must outlive this.
  Service(std::vector<Route> routes, std::string token, Metrics& metrics);

  std::optional<http::Answer> refuse(const http::Request& head) override;
  void handle(http::Request request, http::Reply reply) override;
  http::Answer failure(int status, const std::string& problem) override;

 private:
  const Route* find(std::string_view method, std::string_view path, std::string* argument) const;
  std::string methods_of(std::string_view path) const;
  bool may_enter(const http::Request& head) const;
  http::Answer refused(const char* route, http::Answer answer);

  const std::vector<Route> routes_;
  const std::string token_;
  Metrics& metrics_;
};

}  // namespace tritonrl::serve
