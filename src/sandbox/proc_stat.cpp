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

namespace {

using Text = std::array<char, 1024>;

// What follows the name in a line "pid (name) state parent group session ..."; null if there is no such file. The name
// is the process's own choice, brackets included.
const char* after_name(int folder, const std::string& path, Text& text) {
  const base::UniqueFd file(openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC));
  text.fill(0);
  if (!file || read(file.get(), text.data(), text.size() - 1) <= 0) return nullptr;
  const char* rest = std::strrchr(text.data(), ')');
  return rest == nullptr ? nullptr : rest + 1;
}

// The numbers that name entries of a folder of /proc.
std::vector<pid_t> numbered(int proc, const char* folder) {
  std::vector<pid_t> out;
  const int fd = openat(proc, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* all = fd < 0 ? nullptr : fdopendir(fd);
  if (all == nullptr) return out;
  while (const dirent* entry = readdir(all)) {
    if (const pid_t pid = std::atoi(entry->d_name); pid > 0) out.push_back(pid);
  }
  closedir(all);
  return out;
}

}  // namespace

std::optional<ProcStat> read_stat(int proc, pid_t pid) {
  Text text;
  const char* rest = after_name(proc, std::to_string(pid) + "/stat", text);
  long long parent = 0, session = 0, user = 0, system = 0, tasks = 0, pages = 0;
  constexpr const char* kFormat =
      " %*c %lld %*d %lld %*d %*d %*u %*u %*u %*u %*u %lld %lld %*d %*d %*d %*d %lld %*d %*u %*u %lld";
  if (rest == nullptr || std::sscanf(rest, kFormat, &parent, &session, &user, &system, &tasks, &pages) != 6)
    return std::nullopt;
  return ProcStat{.parent = static_cast<pid_t>(parent),
                  .session = static_cast<pid_t>(session),
                  .tasks = tasks,
                  .resident_bytes = pages * sysconf(_SC_PAGESIZE),
                  .cpu_ticks = user + system};
}

bool wants_processor(int proc, pid_t pid) {
  const std::string threads = std::to_string(pid) + "/task";
  for (const pid_t thread : numbered(proc, threads.c_str())) {
    Text text;
    const char* rest = after_name(proc, threads + "/" + std::to_string(thread) + "/stat", text);
    if (rest != nullptr && std::strncmp(rest, " R", 2) == 0) return true;
  }
  return false;
}

std::vector<pid_t> all_processes(int proc) {
  return numbered(proc, ".");
}

}  // namespace tritonrl::sandbox
