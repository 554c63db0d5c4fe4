#include "cli/left_behind.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <exception>

#include "base/error.h"
#include "base/local_socket.h"

namespace tritonrl::cli {

namespace fs = std::filesystem;

void leave_behind(const fs::path& path, int type, const std::string& who, const std::function<void(int)>& serve) {
  const base::UniqueFd listener = base::listen_at(path, type, who);
  const pid_t pid = fork();
  if (pid < 0) throw base::InfrastructureError(who, base::system_message("fork"));
  if (pid > 0) return;
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) dup2(nothing, fd);
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) signal(one, SIG_DFL);
  const int keep = listener.get();
  close_range(3, static_cast<unsigned>(keep) - 1, 0);
  close_range(static_cast<unsigned>(keep) + 1, ~0U, 0);
  if (chdir("/") != 0) _exit(1);
  try {
    serve(keep);
  } catch (const std::exception&) {  // whoever waits for it hears that it has ended
  }
  unlink(path.c_str());
  _exit(0);
}

base::UniqueFd reach_left_behind(const fs::path& path, int type, const std::string& who,
                                 const std::function<void()>& start) {
  if (base::UniqueFd there = base::connect_to(path, type, who)) return there;
  const base::UniqueFd lock(open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || flock(lock.get(), LOCK_EX) != 0) throw base::InfrastructureError(who, base::system_message("flock"));
  if (base::UniqueFd there = base::connect_to(path, type, who)) return there;
  start();
  if (base::UniqueFd there = base::connect_to(path, type, who)) return there;
  throw base::InfrastructureError(who, "the process that was left behind does not listen");
}

}  // namespace tritonrl::cli
