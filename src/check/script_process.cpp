#include "check/script_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::check {
namespace {

[[noreturn]] void fail(const char* what) {
  throw base::InfrastructureError("check", base::system_message(what));
}

// Above the descriptors that the child gives a meaning, so that none is closed by another's move.
base::UniqueFd moved_up(int fd) {
  const base::UniqueFd given(fd);
  base::UniqueFd out(fcntl(fd, F_DUPFD_CLOEXEC, 10));
  if (!out) fail("fcntl");
  return out;
}

base::UniqueFd readable_copy(std::string_view bytes) {
  const int made = memfd_create("boot", MFD_CLOEXEC);
  if (made < 0) fail("memfd_create");
  base::UniqueFd fd = moved_up(made);
  while (!bytes.empty()) {
    const ssize_t count = write(fd.get(), bytes.data(), bytes.size());
    if (count < 0) fail("write of the boot text");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

void read_lines(int fd, const std::function<void(std::string_view)>& line) {
  std::string held;
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t count = read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    held.append(block.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = held.find('\n', begin)) != std::string::npos; begin = end + 1)
      line(std::string_view(held).substr(begin, end - begin));
    held.erase(0, begin);
  }
}

}  // namespace

int run_script_process(const std::string& executable, std::string_view program, const std::string& boot,
                       const std::function<void(std::string_view)>& line) {
  const base::UniqueFd input = readable_copy(boot);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  base::UniqueFd ours = moved_up(ends[0]), theirs = moved_up(ends[1]);
  const std::string text(program);
  std::array<const char*, 5> command = {executable.c_str(), "-B", "-c", text.c_str(), nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent || dup2(theirs.get(), 3) < 0 || dup2(input.get(), 4) < 0) _exit(127);
    execvp(command[0], const_cast<char**>(command.data()));
    _exit(127);
  }
  theirs.reset();
  read_lines(ours.get(), line);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tritonrl::check
