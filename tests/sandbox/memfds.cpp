#include "tests/sandbox/memfds.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace tritonrl::sandbox::testing {

base::UniqueFd memfd_of(const std::string& text) {
  base::UniqueFd fd(memfd_create("test", MFD_CLOEXEC));
  if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("memfd");
  }
  return fd;
}

std::string text_of(const base::UniqueFd& memfd) {
  std::array<char, 256> bytes{};
  const ssize_t count = pread(memfd.get(), bytes.data(), bytes.size(), 0);
  return count < 0 ? "unreadable" : std::string(bytes.data(), static_cast<std::size_t>(count));
}

std::vector<std::string> texts_of(const std::vector<base::UniqueFd>& memfds) {
  std::vector<std::string> out;
  for (const base::UniqueFd& fd : memfds) out.push_back(text_of(fd));
  return out;
}

Memfds::Memfds(const std::string& prefix, int count) {
  for (int i = 0; i < count; ++i) {
    texts.push_back(prefix + std::to_string(i));
    owned.push_back(memfd_of(texts.back()));
    numbers.push_back(owned.back().get());
  }
}

bool closes_on_exec(const base::UniqueFd& fd) {
  return (fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0;
}

std::pair<base::UniqueFd, base::UniqueFd> stream_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw std::runtime_error("socketpair");
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

void push_unchecked(int socket, std::string bytes, const std::vector<int>& descriptors) {
  const std::size_t size = descriptors.size() * sizeof(int);
  std::vector<std::size_t> control(CMSG_SPACE(size) / sizeof(std::size_t) + 1);
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(size);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_len = CMSG_LEN(size);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  std::memcpy(CMSG_DATA(header), descriptors.data(), size);
  if (sendmsg(socket, &message, 0) < 0) throw std::runtime_error("sendmsg");
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

}  // namespace tritonrl::sandbox::testing
