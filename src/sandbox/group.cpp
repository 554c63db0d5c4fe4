#include "sandbox/group.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "sandbox/proc_stat.h"

namespace tritonrl::sandbox {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(1);

void kill_children(int proc) {
  for (const pid_t pid : all_processes(proc)) {
    // A child of ours stays ours, dead or alive, until we reap it: its number cannot be another's meanwhile.
    const auto stat = read_stat(proc, pid);
    if (stat && stat->parent == getpid()) kill(pid, SIGKILL);
  }
}

std::int64_t milliseconds(const timeval& time) {
  return time.tv_sec * 1000 + time.tv_usec / 1000;
}

}  // namespace

Remains kill_group(pid_t leader, bool adopted, int proc) {
  Remains out;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  // While the leader is not reaped its number, and the group's, cannot be another's.
  kill(-leader, SIGKILL);
  kill(leader, SIGKILL);
  while (std::chrono::steady_clock::now() < deadline) {
    int status = 0;
    rusage used{};
    const pid_t ended = wait4(-1, &status, WNOHANG, &used);
    if (ended < 0 && errno == ECHILD) return out;
    if (ended > 0) {
      if (ended == leader) out.status = status;
      out.cpu_ms += milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
      out.peak_bytes = std::max(out.peak_bytes, static_cast<std::int64_t>(used.ru_maxrss) * 1024);
      continue;
    }
    if (out.status && !adopted) return out;
    if (out.status) kill_children(proc);
    std::this_thread::sleep_for(kPause);
  }
  return out;
}

}  // namespace tritonrl::sandbox
