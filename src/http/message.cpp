#include "http/message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

#include "base/check.h"

namespace tritonrl::http {
namespace {

constexpr std::pair<int, std::string_view> kReasons[] = {
    {100, "Continue"},
    {200, "OK"},
    {202, "Accepted"},
    {204, "No Content"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

// As HTTP writes times: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 64> out{};
  std::snprintf(out.data(), out.size(), "%s, %02d %s %d %02d:%02d:%02d GMT", kDays[parts.tm_wday], parts.tm_mday,
                kMonths[parts.tm_mon], parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return out.data();
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view reason_of(int status) {
  const auto* found =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](const auto& one) { return one.first == status; });
  return found == std::end(kReasons) ? "Answer" : found->second;
}

std::string written(const Answer& answer, Framing framing, bool keep_alive, bool head_only) {
  std::string out = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  out += reason_of(answer.status);
  out += "\r\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    TRL_CHECK(value.find_first_of("\r\n") == std::string_view::npos, "a header of two lines");
    out.append(name).append(": ").append(value).append("\r\n");
  };
  if (!answer.body.empty() || framing != Framing::kLength) add("Content-Type", answer.type);
  if (framing == Framing::kLength && answer.status != 204) add("Content-Length", std::to_string(answer.body.size()));
  if (framing == Framing::kChunked) add("Transfer-Encoding", "chunked");
  if (!keep_alive) add("Connection", "close");
  add("Date", now_text());
  for (const auto& [name, value] : answer.headers) add(name, value);
  out += "\r\n";
  if (framing == Framing::kLength && !head_only) out += answer.body;
  return out;
}

std::string chunk(std::string_view bytes) {
  if (bytes.empty()) return "";
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  return std::string(size.data(), end) + "\r\n" + std::string(bytes) + "\r\n";
}

}  // namespace tritonrl::http
