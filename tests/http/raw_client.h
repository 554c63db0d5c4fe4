#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace tritonrl::http {

struct Received {
  int status = 0;                              // 0: the connection ended before an answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const { return headers.contains(name) ? headers.at(name) : ""; }
};

// A connection to a port of this machine that sends bytes as they are given. Waits ten seconds at most.
class RawClient {
 public:
  explicit RawClient(int port);

  // False if the other side is gone.
  bool send(std::string_view bytes);
  // One answer, chunks put together; `no_body`: it is that of a HEAD request.
  Received receive(bool no_body = false);
  // Whatever comes until the other side closes.
  std::string rest();
  void close() { fd_.reset(); }

 private:
  bool fill();
  std::optional<std::string> line();
  std::string bytes(std::size_t count);

  base::UniqueFd fd_;
  std::string buffer_;
};

// The bytes of a POST with these further lines ("Name: value\r\n").
std::string post(const std::string& path, const std::string& body, const std::string& headers = {},
                 const std::string& type = "application/json");
std::string get(const std::string& path, const std::string& headers = {});

// Over a connection of its own.
Received ask(int port, const std::string& request);

}  // namespace tritonrl::http
