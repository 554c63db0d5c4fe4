#include "sandbox/zygote.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "sandbox/descriptor_message.h"
#include "sandbox/fail.h"
#include "sandbox/nursery.h"
#include "sandbox/proc_stat.h"
#include "sandbox/spawn.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 10;
constexpr int kSendLimitMs = 60'000;
constexpr int kPatience = 10;  // times the start's limit, for one that works
constexpr std::int64_t kLookMs = 500;
constexpr std::string_view kCopyOrder = "copy";  // instead of a policy

using Ends = std::pair<base::UniqueFd, base::UniqueFd>;

Ends socket_pair(int type) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

Ends pipe_pair() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

base::UniqueFd readable_copy(std::string_view bytes) {
  base::UniqueFd fd(memfd_create("boot", MFD_CLOEXEC));
  if (!fd) fail("memfd_create");
  while (!bytes.empty()) {
    const ssize_t count = write(fd.get(), bytes.data(), bytes.size());
    if (count < 0) fail("write of the boot bytes");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// Processor time of a process; 0 if it cannot be told.
std::int64_t cpu_ticks(pid_t pid) {
  const base::UniqueFd proc(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto stat = proc ? read_stat(proc.get(), pid) : std::nullopt;
  return stat ? stat->cpu_ticks : 0;
}

// One message with three descriptors. False if the other end is gone or does not listen.
bool send_with(int socket, const std::string& text, const std::array<int, 3>& descriptors) {
  while (send_some(socket, text, descriptors, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    pollfd wait{socket, POLLOUT, 0};
    if (errno == EMSGSIZE) throw base::UserError("sandbox", "a policy of this length cannot be sent");
    if (errno != EINTR && (errno != EAGAIN || poll(&wait, 1, kSendLimitMs) <= 0)) return false;
  }
  return true;
}

}  // namespace

struct Zygote::State {
  explicit State(const ZygoteOptions& options_in) : options(options_in), stop(eventfd(0, EFD_CLOEXEC)) {
    if (!stop) fail("eventfd");
    auto [near, far] = socket_pair(SOCK_SEQPACKET);
    control = std::move(near);
    std::promise<pid_t> started;
    std::future<pid_t> result = started.get_future();
    guard = std::thread([this, far_end = far.get(), started = std::move(started)]() mutable {
      watch_over(far_end, std::move(started));
    });
    try {
      pid = result.get();
      far.reset();
      if (!options.background) await_ready();
    } catch (...) {
      end();
      throw;
    }
  }
  ~State() { end(); }

  // The thread that starts the zygote must live as long as it: the kernel kills it when its parent *thread* ends.
  // Meanwhile it reads what the zygote prints, so that it never blocks on a full pipe.
  void watch_over(int far_end, std::promise<pid_t> started) {
    base::UniqueFd read_end;
    try {
      auto [near, far] = pipe_pair();
      const base::UniqueFd boot = readable_copy(options.boot);
      read_end = std::move(near);
      const std::optional<pid_t> copy =
          options.made_of.empty() ? std::nullopt : copy_from_nursery(options, {far_end, far.get(), boot.get()});
      copied = copy.has_value();
      started.set_value(copied ? *copy
                               : spawn({.command = options.command,
                                        .environment = options.environment,
                                        .output = far.get(),
                                        .control = far_end,
                                        .boot = boot.get()}));
    } catch (...) {
      started.set_exception(std::current_exception());
      return;
    }
    std::vector<char> chunk(kMaxOutput);
    while (true) {
      std::array<pollfd, 2> fds{pollfd{stop.get(), POLLIN, 0}, pollfd{read_end.get(), POLLIN, 0}};
      if (poll(fds.data(), fds.size(), -1) < 0) continue;
      if (fds[1].revents != 0) {
        const ssize_t count = read(read_end.get(), chunk.data(), chunk.size());
        if (count <= 0) read_end.reset();
        const std::lock_guard lock(mutex);
        if (count > 0) printed.append(chunk.data(), std::min<std::size_t>(count, kMaxOutput - printed.size()));
        if (count <= 0) silent = true;
      } else if (fds[0].revents != 0) {
        return;
      }
    }
  }

  // Patience is for as long as the zygote gets on: on a busy machine it may take minutes.
  void await_ready() {
    const std::lock_guard lock(readying);
    if (ready) return;
    using Clock = std::chrono::steady_clock;
    const std::chrono::milliseconds limit(options.start_timeout_ms);
    const auto latest = begun + kPatience * limit;
    std::int64_t worked = -1;
    auto idle_since = Clock::now();
    pollfd wait{control.get(), POLLIN, 0};
    while (true) {
      const auto now = Clock::now();
      if (const std::int64_t ticks = cpu_ticks(pid); ticks != worked) {
        worked = ticks;
        idle_since = now;
      }
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(std::min(idle_since + limit, latest) - now).count();
      if (left <= 0) throw base::InfrastructureError("sandbox", "the zygote does not get ready" + said());
      if (poll(&wait, 1, static_cast<int>(std::min(left, kLookMs))) <= 0) continue;
      std::array<char, 16> bytes{};
      const ssize_t count = recv(control.get(), bytes.data(), bytes.size(), 0);
      ready = count > 0 && std::string_view(bytes.data(), static_cast<std::size_t>(count)) == "ready";
      if (ready) return;
      died_early();
    }
  }

  [[noreturn]] void died_early() {
    if (reaped || copied) throw base::InfrastructureError("sandbox", "the zygote is dead" + said());
    kill(pid, SIGKILL);
    int status = 0;
    const bool known = waitpid(pid, &status, 0) == pid;
    reaped = true;
    for (int i = 0; i < 100 && !is_silent(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (known && WIFEXITED(status)) {
      throw base::UserError("sandbox", options.command.front() + " ended with " + std::to_string(WEXITSTATUS(status)) +
                                           " before it was ready" + said());
    }
    throw base::InfrastructureError("sandbox", options.command.front() + " was killed before it was ready" + said());
  }

  bool is_silent() const {
    const std::lock_guard lock(mutex);
    return silent;
  }

  std::string said() const {
    const std::lock_guard lock(mutex);
    return printed.empty() ? "" : "; it printed:\n" + printed;
  }

  void end() {
    if (copied) control.reset();
    if (pid > 0 && !reaped && !copied) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      reaped = true;
    }
    const std::uint64_t one = 1;
    if (guard.joinable() && write(stop.get(), &one, sizeof one) == sizeof one) guard.join();
  }

  const ZygoteOptions options;
  base::UniqueFd stop, control;
  std::thread guard;
  const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  pid_t pid = -1;
  bool reaped = false;
  bool copied = false;  // no child of ours
  std::mutex readying;
  bool ready = false;
  std::mutex sending;  // one message at a time
  mutable std::mutex mutex;
  std::string printed;
  bool silent = false;
};

Zygote::Zygote(const ZygoteOptions& options) : state_(std::make_unique<State>(options)) {}
Zygote::~Zygote() = default;

Job Zygote::start(const Policy& policy) {
  state_->await_ready();
  auto [channel, far_channel] = socket_pair(SOCK_STREAM);
  auto [keeper, far_keeper] = socket_pair(SOCK_STREAM);
  auto [log, far_log] = pipe_pair();
  {
    const std::lock_guard lock(state_->sending);
    if (!send_with(state_->control.get(), to_json(policy), {far_channel.get(), far_log.get(), far_keeper.get()})) {
      throw base::InfrastructureError("sandbox", "the zygote is dead" + state_->said());
    }
  }
  return Job({.wall_ms = policy.wall_ms, .max_message_bytes = state_->options.max_message_bytes}, std::move(channel),
             std::move(log), std::move(keeper));
}

pid_t Zygote::copy(int control, int output) {
  state_->await_ready();
  const std::lock_guard lock(state_->sending);
  if (!send_with(state_->control.get(), std::string(kCopyOrder), {control, output, output})) return -1;
  pollfd wait{state_->control.get(), POLLIN, 0};
  std::array<char, 32> told{};
  const bool answers =
      poll(&wait, 1, kSendLimitMs) > 0 && recv(state_->control.get(), told.data(), told.size() - 1, MSG_DONTWAIT) > 0;
  const pid_t pid = answers ? std::atoi(told.data()) : -1;
  return pid > 0 ? pid : -1;
}

pid_t Zygote::pid() const {
  return state_->pid;
}

std::string Zygote::output() const {
  const std::lock_guard lock(state_->mutex);
  return state_->printed;
}

}  // namespace tritonrl::sandbox
