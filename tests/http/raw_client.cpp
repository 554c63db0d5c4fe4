#include "tests/http/raw_client.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <stdexcept>

namespace tritonrl::http {

RawClient::RawClient(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("nobody listens at port " + std::to_string(port));
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool RawClient::fill() {
  std::array<char, 65536> piece;
  const ssize_t count = ::recv(fd_.get(), piece.data(), piece.size(), 0);
  if (count <= 0) return false;
  buffer_.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> RawClient::line() {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  std::string out = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return out;
}

std::string RawClient::bytes(std::size_t count) {
  while (buffer_.size() < count && fill()) {
  }
  std::string out = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return out;
}

Received RawClient::receive(bool no_body) {
  Received out;
  const std::optional<std::string> status = line();
  if (!status || status->size() < 12) return out;
  out.status = std::stoi(status->substr(9, 3));
  for (std::optional<std::string> one; (one = line()) && !one->empty();) {
    const std::size_t colon = one->find(": ");
    std::string name = one->substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    out.headers[name] = one->substr(colon + 2);
  }
  if (no_body || out.status == 100) return out;
  if (out.header("transfer-encoding") != "chunked") {
    out.body = out.headers.contains("content-length") ? bytes(std::stoul(out.header("content-length"))) : rest();
    return out;
  }
  for (;;) {
    const std::optional<std::string> size = line();
    if (!size) return out;
    const std::size_t count = std::stoul(*size, nullptr, 16);
    out.body += bytes(count);
    line();
    if (count == 0) return out;
  }
}

std::string RawClient::rest() {
  while (fill()) {
  }
  return std::exchange(buffer_, {});
}

std::string post(const std::string& path, const std::string& body, const std::string& headers,
                 const std::string& type) {
  return "POST " + path + " HTTP/1.1\r\nHost: here\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

std::string get(const std::string& path, const std::string& headers) {
  return "GET " + path + " HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n";
}

Received ask(int port, const std::string& request) {
  RawClient client(port);
  client.send(request);
  return client.receive();
}

}  // namespace tritonrl::http
