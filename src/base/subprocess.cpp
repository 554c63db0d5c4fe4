#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

#include "base/error.h"
#include "base/unique_fd.h"

extern char** environ;

namespace tritonrl::base {
namespace {

struct Pipe {
  UniqueFd read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw InfrastructureError("subprocess", system_message("pipe"));
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Reads both pipes to their ends; false when the deadline passes first.
bool drain(std::array<UniqueFd*, 2> pipes, std::array<std::string*, 2> texts,
           std::chrono::steady_clock::time_point deadline) {
  while (*pipes[0] || *pipes[1]) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd polled[2] = {{pipes[0]->get(), POLLIN, 0}, {pipes[1]->get(), POLLIN, 0}};
    if (left.count() <= 0 || ::poll(polled, 2, static_cast<int>(left.count())) == 0) return false;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      char block[4096];
      const ssize_t n = ::read(pipes[i]->get(), block, sizeof(block));
      if (n > 0) texts[i]->append(block, static_cast<std::size_t>(n));
      if (n == 0 || (n < 0 && errno != EINTR)) pipes[i]->reset();
    }
  }
  return true;
}

// Waits for a process that closed its pipes, which does not mean that it ended; false when the deadline passes first.
bool ended(pid_t pid, int& status, std::chrono::steady_clock::time_point deadline) {
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& argv, std::chrono::milliseconds limit) {
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), 2);
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  CommandResult result;
  pid_t pid = -1;
  result.started = ::posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!result.started) return result;
  out.write.reset();
  err.write.reset();
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  result.timed_out =
      !drain({&out.read, &err.read}, {&result.output, &result.errors}, deadline) || !ended(pid, status, deadline);
  if (result.timed_out) {
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace tritonrl::base
