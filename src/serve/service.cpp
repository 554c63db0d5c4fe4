#include "serve/service.h"

#include <algorithm>

#include "serve/answers.h"

namespace tritonrl::serve {
namespace {

constexpr const char* kNoRoute = "other";

// Whether `path` is `pattern`, in which one part may be {name}.
bool matches(std::string_view pattern, std::string_view path, std::string* argument) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return pattern == path;
  const std::string_view before = pattern.substr(0, open), after = pattern.substr(pattern.find('}') + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after)) return false;
  const std::string_view part = path.substr(before.size(), path.size() - before.size() - after.size());
  if (part.find('/') != std::string_view::npos) return false;
  if (argument != nullptr) *argument = part;
  return true;
}

// As long whatever the difference is.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned char difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char one = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(one ^ secret[i]);
  }
  return difference == 0;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string media_type(std::string_view header) {
  std::string type = lower(header.substr(0, header.find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  return type;
}

Service::Service(std::vector<Route> routes, std::string token, Metrics& metrics)
    : routes_(std::move(routes)), token_(std::move(token)), metrics_(metrics) {}

const Route* Service::find(std::string_view method, std::string_view path, std::string* argument) const {
  const std::string_view asked = method == "HEAD" ? "GET" : method;
  const auto found = std::find_if(routes_.begin(), routes_.end(), [&](const Route& route) {
    return route.method == asked && matches(route.path, path, argument);
  });
  return found == routes_.end() ? nullptr : &*found;
}

std::string Service::methods_of(std::string_view path) const {
  std::string out;
  for (const Route& route : routes_) {
    if (!matches(route.path, path, nullptr)) continue;
    out += (out.empty() ? "" : ", ") + (route.method == "GET" ? "GET, HEAD" : route.method);
  }
  return out;
}

bool Service::may_enter(const http::Request& head) const {
  if (token_.empty()) return true;
  const std::string_view given = head.header("authorization");
  constexpr std::string_view kScheme = "bearer ";
  return given.size() > kScheme.size() && lower(given.substr(0, kScheme.size())) == kScheme &&
         same_secret(given.substr(kScheme.size()), token_);
}

http::Answer Service::refused(const char* route, http::Answer answer) {
  metrics_.request(route, answer.status);
  return answer;
}

std::optional<http::Answer> Service::refuse(const http::Request& head) {
  const Route* route = find(head.method, head.path, nullptr);
  if ((route == nullptr || !route->open) && !may_enter(head)) {
    http::Answer out = error_answer(401, {"Authorization", "is missing or wrong; send Authorization: Bearer TOKEN"});
    out.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refused(kNoRoute, std::move(out));
  }
  if (route == nullptr) {
    const std::string methods = methods_of(head.path);
    if (methods.empty())
      return refused(kNoRoute, error_answer(404, {"", "there is nothing here; /openapi.json says what there is"}));
    http::Answer out = error_answer(405, {"", "this path takes " + methods});
    out.headers.emplace_back("Allow", methods);
    return refused(kNoRoute, std::move(out));
  }
  if (route->types.empty()) return std::nullopt;
  const std::string_view encoding = head.header("content-encoding");
  if (!encoding.empty() && lower(encoding) != "identity")
    return refused(route->path.c_str(), error_answer(415, {"Content-Encoding", "is not known here; send plain text"}));
  if (std::find(route->types.begin(), route->types.end(), media_type(head.header("content-type"))) ==
      route->types.end()) {
    return refused(route->path.c_str(),
                   error_answer(415, {"Content-Type", "is not " + route->types.front() + ", as it must be"}));
  }
  return std::nullopt;
}

void Service::handle(http::Request request, http::Reply reply) {
  std::string argument;
  const Route* route = find(request.method, request.path, &argument);
  const Call call(std::move(reply), metrics_, route->path.c_str());
  route->handle(request, argument, call);
}

http::Answer Service::failure(int status, const std::string& problem) {
  return refused(kNoRoute, error_answer(status, {"", problem}));
}

}  // namespace tritonrl::serve
