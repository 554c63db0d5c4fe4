#include "http/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>

#include "base/error.h"

namespace tritonrl::http {
namespace {

constexpr int kBacklog = 1024;  // clients often come together

base::UniqueFd bound(const addrinfo& address) {
  base::UniqueFd fd(::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return {};
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 || ::listen(fd.get(), kBacklog) != 0) return {};
  return fd;
}

int port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw base::InfrastructureError("http", base::system_message("getsockname"));
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

}  // namespace

base::UniqueFd listen_at(const std::string& host, int& port) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string place = host + " port " + std::to_string(port);
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0)
    throw base::UserError("http",
                          "--host " + host + ": " + ::gai_strerror(error) + "; give an address of this machine");
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    base::UniqueFd fd = bound(*one);
    if (!fd) continue;
    port = port_of(fd.get());
    return fd;
  }
  throw base::UserError("http", base::system_message(place) +
                                    "; choose another --port (0: any that is free), or an address of this machine");
}

}  // namespace tritonrl::http
