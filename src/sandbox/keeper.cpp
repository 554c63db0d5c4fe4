#include "sandbox/keeper.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "sandbox/descriptors.h"
#include "sandbox/group.h"
#include "sandbox/scratch.h"
#include "sandbox/watch.h"

namespace tritonrl::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kSetupLimit = std::chrono::seconds(10);

// The kernel's limit and its accounts are kept by different clocks.
constexpr std::int64_t kCpuSlackMs = 100;

// Why the keeper stopped waiting.
enum class Cause { kEnded, kWall, kCancelled, kLimit };

struct Wait {
  Cause cause = Cause::kEnded;
  bool confined = false;
  std::string message;  // the child's word where it is not confined; the limit passed
  std::chrono::milliseconds wanted{0};
};

class Vigil {
 public:
  Vigil(const Policy& policy, const Enclosure& enclosure, pid_t child, int pidfd, int keeper)
      : policy_(policy), enclosure_(enclosure), child_(child), pidfd_(pidfd), keeper_(keeper) {}

  Wait run() {
    while (true) {
      std::array<pollfd, 3> fds{pollfd{pidfd_, POLLIN, 0}, pollfd{keeper_, POLLIN, 0},
                                pollfd{heard_ ? -1 : enclosure_.status_read.get(), POLLIN, 0}};
      poll(fds.data(), fds.size(), patience());
      if (fds[2].revents != 0) listen();
      if (fds[0].revents != 0) return end(Cause::kEnded);
      if (fds[1].revents != 0) return end(Cause::kCancelled);
      if (Clock::now() >= deadline_) return end(Cause::kWall);
      if (!watch_) continue;
      if (const auto passed = watch_->exceeded()) {
        word_ = *passed;
        return end(Cause::kLimit);
      }
    }
  }

 private:
  Wait end(Cause cause) const {
    return {.cause = cause,
            .confined = confined_,
            .message = word_,
            .wanted = watch_ ? watch_->wanted() : std::chrono::milliseconds(0)};
  }

  int patience() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    const auto most = watch_ ? watch_->interval().count() : left;
    return static_cast<int>(std::clamp<std::int64_t>(std::min(left, most), 0, 60'000));
  }

  void listen() {
    std::array<char, 1024> bytes{};
    const ssize_t count = read(enclosure_.status_read.get(), bytes.data(), bytes.size());
    heard_ = true;
    word_.assign(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    confined_ = word_ == "ok";
    if (!confined_) return;
    word_.clear();
    deadline_ = Clock::now() + std::chrono::milliseconds(policy_.wall_ms);
    if (policy_.protections.limits) {
      watch_.emplace(policy_, enclosure_.proc.get(), child_, enclosure_.remove_scratch ? enclosure_.scratch : "");
    }
  }

  const Policy& policy_;
  const Enclosure& enclosure_;
  const pid_t child_;
  const int pidfd_, keeper_;
  Clock::time_point deadline_ = Clock::now() + kSetupLimit;
  std::optional<Watch> watch_;
  bool heard_ = false, confined_ = false;
  std::string word_;
};

Exit::Kind kind_of(const Policy& policy, const Wait& wait, const Remains& remains) {
  if (!wait.confined && wait.cause != Cause::kCancelled) return Exit::Kind::kInfrastructure;
  if (!remains.status) return Exit::Kind::kInfrastructure;
  if (wait.cause == Cause::kWall) return Exit::Kind::kTimedOut;
  if (wait.cause == Cause::kCancelled) return Exit::Kind::kCancelled;
  if (WIFEXITED(*remains.status)) return Exit::Kind::kExited;
  const bool by_cpu = WTERMSIG(*remains.status) == SIGXCPU || WTERMSIG(*remains.status) == SIGKILL;
  const bool out_of_cpu = policy.protections.limits && remains.cpu_ms + kCpuSlackMs >= policy.cpu_seconds * 1000;
  if (wait.cause == Cause::kEnded && by_cpu && out_of_cpu) return Exit::Kind::kTimedOut;
  return Exit::Kind::kSignaled;
}

std::string message_of(const Policy& policy, const Wait& wait, const Remains& remains, Exit::Kind kind) {
  if (!remains.status) return "the process could not be killed";
  if (kind == Exit::Kind::kInfrastructure && wait.message.empty()) return "the process ended before it was confined";
  if (kind != Exit::Kind::kTimedOut) return wait.message;
  return wait.cause == Cause::kWall ? "more than " + std::to_string(policy.wall_ms) + " ms"
                                    : "more than " + std::to_string(policy.cpu_seconds) + " s of CPU time";
}

Exit describe(const Policy& policy, const Wait& wait, const Remains& remains) {
  const Exit::Kind kind = kind_of(policy, wait, remains);
  const int status = remains.status.value_or(0);
  return {.kind = kind,
          .code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
          .message = message_of(policy, wait, remains, kind),
          .cpu_ms = remains.cpu_ms,
          .wanted_ms = wait.wanted.count(),
          .peak_bytes = remains.peak_bytes};
}

}  // namespace

void end_keeper(int keeper, const Exit& exit) {
  const std::string text = to_json(exit);
  // If nobody listens any more, nobody needs to know.
  send(keeper, text.data(), text.size(), MSG_NOSIGNAL);
  _exit(0);
}

void keep(const Policy& policy, Enclosure& enclosure, pid_t child, int keeper) {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  Wait wait{.cause = Cause::kEnded, .confined = false, .message = "pidfd_open is refused"};
  const std::array sources{keeper, pidfd, enclosure.status_read.get(), enclosure.proc.get()};
  constexpr int kFirst = 3;
  enclosure.status_write.reset();
  if (pidfd >= 0 && place_descriptors(sources, kFirst, /*close_rest=*/true)) {
    keeper = kFirst;
    enclosure.status_read.release();
    enclosure.status_read.reset(kFirst + 2);
    enclosure.proc.release();
    enclosure.proc.reset(kFirst + 3);
    wait = Vigil(policy, enclosure, child, kFirst + 1, kFirst).run();
  }
  const Remains remains = kill_group(child, policy.protections.group, enclosure.proc.get());
  Exit exit = describe(policy, wait, remains);
  if (enclosure.remove_scratch && !remove_scratch(enclosure.scratch) && exit.message.empty()) {
    exit.message = "something is left of " + enclosure.scratch;
  }
  end_keeper(keeper, exit);
}

}  // namespace tritonrl::sandbox
