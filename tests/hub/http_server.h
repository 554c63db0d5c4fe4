#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tritonrl::hub {

struct ServedRequest {
  std::string method, target;
  std::map<std::string, std::string> headers;  // names in lower case

  bool has(const std::string& name) const { return headers.contains(name); }
  std::string header(const std::string& name) const { return has(name) ? headers.at(name) : ""; }
};

struct ServedAnswer {
  int status = 200;
  std::map<std::string, std::string> headers = {};
  std::string body = {};
  std::optional<std::size_t> cut_after = {};  // closes the connection after so many bytes of the body
  bool hang = false;                          // instead of closing: neither sends nor closes until the server ends
};

// A web server on a port of this machine, a thread a connection. `answer` is called by several threads at once.
class HttpServer {
 public:
  using Handler = std::function<ServedAnswer(const ServedRequest&)>;
  explicit HttpServer(Handler answer, int port = 0);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<ServedRequest> requests() const;

 private:
  void accept_all();
  void serve(int connection);
  bool serve_one(int connection, std::string& buffer);

  Handler answer_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> ending_ = false;
  mutable std::mutex mutex_;
  std::vector<ServedRequest> requests_;
  std::vector<int> connections_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace tritonrl::hub
