#include "tests/cli/on_terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/unique_fd.h"

namespace tritonrl::cli {

Shown run_on_terminal(const std::vector<std::string>& command, int columns) {
  const base::UniqueFd ours(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  EXPECT_TRUE(ours && ::grantpt(ours.get()) == 0 && ::unlockpt(ours.get()) == 0);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  ::ioctl(ours.get(), TIOCSWINSZ, &size);
  base::UniqueFd theirs(::open(::ptsname(ours.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int fd : {0, 1, 2}) ::dup2(theirs.get(), fd);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  theirs.reset();
  Shown shown;
  char block[4096];
  for (;;) {
    const ssize_t n = ::read(ours.get(), block, sizeof(block));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // EIO: the last that had it open is gone
    shown.text.append(block, static_cast<std::size_t>(n));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) shown.exit_code = WEXITSTATUS(status);
  for (std::size_t at = 0; (at = shown.text.find("\r\n", at)) != std::string::npos;) shown.text.erase(at, 1);
  return shown;
}

}  // namespace tritonrl::cli
