#include "cli/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "base/check.h"
#include "base/error.h"

namespace tritonrl::cli {
namespace {

std::atomic<int> g_fd = -1;
std::atomic<int> g_signal = 0;
struct sigaction g_old_int, g_old_term;

void wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(g_fd, &one, sizeof(one));
}

void on_signal(int signal) {
  g_signal = signal;
  wake();
}

}  // namespace

StopSignals::StopSignals() {
  TRL_CHECK(g_fd == -1, "two at a time");
  g_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (g_fd < 0) throw base::InfrastructureError("cli", base::system_message("eventfd"));
  g_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &g_old_int);
  ::sigaction(SIGTERM, &action, &g_old_term);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &g_old_int, nullptr);
  ::sigaction(SIGTERM, &g_old_term, nullptr);
  ::close(g_fd.exchange(-1));
}

int StopSignals::fd() const {
  return g_fd;
}

void StopSignals::wait() const {
  pollfd ready{g_fd, POLLIN, 0};
  while (::poll(&ready, 1, -1) < 0 && errno == EINTR) {
  }
}

int StopSignals::received() const {
  return g_signal;
}

void StopSignals::stop() {
  wake();
}

}  // namespace tritonrl::cli
