#include "sandbox/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/unique_fd.h"
#include "sandbox/descriptors.h"

namespace tritonrl::sandbox {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& string : strings) out.push_back(const_cast<char*>(string.c_str()));
  out.push_back(nullptr);
  return out;
}

// Between fork and exec of a process with threads: nothing here may allocate or lock.
[[noreturn]] void become(char** command, char** environment, const std::array<int, 5>& descriptors, pid_t parent) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(127);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (place_descriptors(descriptors, 0, /*close_rest=*/true)) execvpe(command[0], command, environment);
  const char* reason = strerrordesc_np(errno);
  for (const char* part : {"cannot start ", static_cast<const char*>(command[0]), ": ", reason ? reason : "?"}) {
    [[maybe_unused]] const ssize_t ignored = write(2, part, std::strlen(part));
  }
  _exit(127);
}

}  // namespace

pid_t spawn(const SpawnOptions& options) {
  if (options.command.empty()) throw base::UserError("sandbox", "no command to start");
  const base::UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) throw base::InfrastructureError("sandbox", base::system_message("open /dev/null"));
  const std::vector<char*> command = pointers(options.command);
  const std::vector<char*> environment = pointers(options.environment);
  const std::array descriptors{null.get(), options.output, options.output, options.control, options.boot};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw base::InfrastructureError("sandbox", base::system_message("fork"));
  if (child > 0) return child;
  become(const_cast<char**>(command.data()), const_cast<char**>(environment.data()), descriptors, parent);
}

}  // namespace tritonrl::sandbox
