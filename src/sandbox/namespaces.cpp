#include "sandbox/namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::sandbox {
namespace {

void write_proc(const char* path, const std::string& text) {
  const base::UniqueFd fd(open(path, O_WRONLY | O_CLOEXEC));
  if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw base::InfrastructureError("sandbox", base::system_message(std::string("write ") + path));
  }
}

std::string identity(unsigned id) {
  return std::to_string(id) + " " + std::to_string(id) + " 1";
}

}  // namespace

void enter_namespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) {
    throw base::InfrastructureError("sandbox", base::system_message("unshare"));
  }
  write_proc("/proc/self/setgroups", "deny");
  write_proc("/proc/self/uid_map", identity(user));
  write_proc("/proc/self/gid_map", identity(group));
  constexpr std::string_view kName = "sandbox";
  if (sethostname(kName.data(), kName.size()) != 0 || setdomainname("", 0) != 0) {
    throw base::InfrastructureError("sandbox", base::system_message("sethostname"));
  }
}

}  // namespace tritonrl::sandbox
