#include "sandbox/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace tritonrl::sandbox {

void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
#endif
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int end = limit.rlim_cur == RLIM_INFINITY ? 1 << 20 : static_cast<int>(limit.rlim_cur);
  for (int fd = first; fd < end; ++fd) close(fd);
}

bool place_descriptors(std::span<const int> sources, int first, bool close_rest) {
  std::array<int, 8> copies{};
  if (sources.size() > copies.size()) return false;
  const int end = first + static_cast<int>(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    copies[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, end);
    if (copies[i] < 0) return false;
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (dup2(copies[i], first + static_cast<int>(i)) < 0) return false;
    close(copies[i]);
  }
  if (close_rest) close_from(end);
  return true;
}

}  // namespace tritonrl::sandbox
