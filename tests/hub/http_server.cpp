#include "tests/hub/http_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <stdexcept>

namespace tritonrl::hub {
namespace {

// False if nobody reads any more.
bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

ServedRequest parse_request(const std::string& text) {
  ServedRequest request;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::istringstream(line) >> request.method >> request.target;
  while (std::getline(lines, line) && line != "\r") {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    request.headers[name] = line.substr(colon + 2, line.size() - colon - 3);
  }
  return request;
}

}  // namespace

HttpServer::HttpServer(Handler answer, int port) : answer_(std::move(answer)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no port for the test's server");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

HttpServer::~HttpServer() {
  ending_ = true;
  acceptor_.join();
  ::close(listener_);
  for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
  for (const int connection : connections_) ::close(connection);
}

std::vector<ServedRequest> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::accept_all() {
  while (!ending_) {
    pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, /*ms=*/20) <= 0) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    connections_.push_back(connection);
    threads_.emplace_back([this, connection] { serve(connection); });
  }
}

void HttpServer::serve(int connection) {
  std::string buffer;
  while (serve_one(connection, buffer)) {
  }
  ::shutdown(connection, SHUT_RDWR);
}

bool HttpServer::serve_one(int connection, std::string& buffer) {
  std::size_t end = 0;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
    char chunk[4096];
    const ssize_t count = ::recv(connection, chunk, sizeof chunk, 0);
    if (count <= 0) return false;
    buffer.append(chunk, static_cast<std::size_t>(count));
  }
  const ServedRequest request = parse_request(buffer.substr(0, end + 2));
  buffer.erase(0, end + 4);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  const ServedAnswer answer = answer_(request);
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " Answer\r\n";
  if (!answer.headers.contains("Content-Length")) {
    head += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  }
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  if (!send_all(connection, head + "\r\n")) return false;
  if (request.method == "HEAD") return true;
  if (!send_all(connection, std::string_view(answer.body).substr(0, answer.cut_after.value_or(answer.body.size())))) {
    return false;
  }
  while (answer.hang && !ending_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !answer.cut_after && !answer.hang;
}

}  // namespace tritonrl::hub
