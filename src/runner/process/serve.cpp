#include "runner/process/serve.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "sandbox/confine.h"
#include "sandbox/keeper.h"

namespace tritonrl::runner {
namespace {

constexpr std::size_t kMaxPolicyBytes = std::size_t{1} << 18;
constexpr int kHandlerRaised = 70, kNotConfined = 71, kCannotReport = 72;
constexpr int kChannel = 3;
constexpr std::string_view kCopyOrder = "copy";  // instead of a policy: sandbox/zygote.cpp

struct Order {
  std::string policy;
  std::array<base::UniqueFd, 3> descriptors;  // channel, log, keeper
  bool complete = false;                      // all three came along
};

// Empty policy: the other side is gone.
Order receive(int control) {
  Order out;
  std::vector<char> bytes(kMaxPolicyBytes);
  std::array<int, 3> received{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof received)> ancillary{};
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.data();
  message.msg_controllen = ancillary.size();
  ssize_t count = 0;
  do {
    count = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return out;
  out.policy.assign(bytes.data(), static_cast<std::size_t>(count));
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return out;
  const std::size_t descriptors = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  std::memcpy(received.data(), CMSG_DATA(header), descriptors * sizeof(int));
  for (std::size_t i = 0; i < descriptors; ++i) out.descriptors[i].reset(received[i]);
  out.complete = descriptors == received.size();
  return out;
}

[[noreturn]] void run(int (*handler)(int)) {
  int code = kHandlerRaised;
  try {
    code = handler(kChannel);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "runner: %s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(code);
}

// The keeper: isolates itself, forks the process to confine, and watches over it.
[[noreturn]] void keep(const Order& order, int (*handler)(int)) {
  const auto& [channel, log, keeper] = order.descriptors;
  try {
    signal(SIGCHLD, SIG_DFL);
    const sandbox::Policy policy = sandbox::policy_from_json(order.policy);
    sandbox::Enclosure enclosure = sandbox::isolate(policy);
    const pid_t child = fork();
    if (child < 0) {
      sandbox::end_keeper(keeper.get(), {.kind = sandbox::Exit::Kind::kInfrastructure, .message = "fork is refused"});
    }
    if (child == 0) {
      try {
        sandbox::confine(policy, enclosure, channel.get(), log.get());
      } catch (const std::exception& error) {
        const std::string_view text = error.what();
        _exit(write(enclosure.status_write.get(), text.data(), text.size()) < 0 ? kCannotReport : kNotConfined);
      }
      run(handler);
    }
    sandbox::keep(policy, enclosure, child, keeper.get());
  } catch (const std::exception& error) {
    sandbox::end_keeper(keeper.get(), {.kind = sandbox::Exit::Kind::kInfrastructure, .message = error.what()});
  }
}

void say(int control, const std::string& text) {
  if (send(control, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) _exit(1);
}

// In the copy: what it prints goes to its own owner, with whom it also ends.
int become_copy(int control, Order& order) {
  auto& [new_control, output, spare] = order.descriptors;
  close(control);
  setsid();
  for (const int stream : {1, 2}) dup2(output.get(), stream);
  say(new_control.get(), "ready");
  return new_control.release();
}

}  // namespace

void serve(int control, int (*handler)(int)) {
  signal(SIGCHLD, SIG_IGN);  // the kernel reaps the keepers
  signal(SIGPIPE, SIG_IGN);
  std::fflush(nullptr);
  say(control, "ready");
  while (true) {
    Order order = receive(control);
    if (order.policy.empty()) _exit(0);
    if (!order.complete) continue;
    const pid_t child = fork();
    const bool copy = order.policy == kCopyOrder;
    if (child == 0 && !copy) keep(order, handler);
    if (child == 0) control = become_copy(control, order);
    if (child > 0 && copy) say(control, std::to_string(child));
    if (child < 0) std::fprintf(stderr, "runner: fork: %s\n", std::strerror(errno));
  }
}

}  // namespace tritonrl::runner
