#include "sandbox/proc_stat.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/unique_fd.h"

namespace tritonrl::sandbox {

std::optional<ProcStat> read_stat(int proc, pid_t pid) {
  const base::UniqueFd file(openat(proc, (std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> text{};
  if (!file || read(file.get(), text.data(), text.size() - 1) <= 0) return std::nullopt;
  // "pid (name) state parent group session ...": the name is the process's own choice, brackets included.
  const char* rest = std::strrchr(text.data(), ')');
  long long parent = 0, session = 0, user = 0, system = 0, tasks = 0, pages = 0;
  constexpr const char* kFormat =
      " %*c %lld %*d %lld %*d %*d %*u %*u %*u %*u %*u %lld %lld %*d %*d %*d %*d %lld %*d %*u %*u %lld";
  if (rest == nullptr || std::sscanf(rest + 1, kFormat, &parent, &session, &user, &system, &tasks, &pages) != 6)
    return std::nullopt;
  return ProcStat{.parent = static_cast<pid_t>(parent),
                  .session = static_cast<pid_t>(session),
                  .tasks = tasks,
                  .resident_bytes = pages * sysconf(_SC_PAGESIZE),
                  .cpu_ticks = user + system};
}

std::vector<pid_t> all_processes(int proc) {
  std::vector<pid_t> out;
  const int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* all = fd < 0 ? nullptr : fdopendir(fd);
  if (all == nullptr) return out;
  while (const dirent* entry = readdir(all)) {
    if (const pid_t pid = std::atoi(entry->d_name); pid > 0) out.push_back(pid);
  }
  closedir(all);
  return out;
}

}  // namespace tritonrl::sandbox
