#include "tests/python/process_census.h"

#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

// Processes whose ancestor we are, by walking the parents of all.
int descendants() {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::isdigit(static_cast<unsigned char>(name[0]))) continue;
    pid_t pid = std::atoi(name.c_str());
    while (pid > 1 && pid != ::getpid()) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string text;
      std::getline(stat, text, '\0');  // of a process that ends meanwhile: nothing, where an iterator would throw
      const std::size_t end = text.rfind(')');
      if (end == std::string::npos) break;
      char state = 0;
      int parent = 0;
      if (std::sscanf(text.c_str() + end + 1, " %c %d", &state, &parent) != 2) break;
      pid = parent;
      if (pid == ::getpid()) ++count;
    }
  }
  return count;
}

}  // namespace

int open_descriptors() {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// A keeper ends a moment after its last word; what is still there after a second is a leak.
int lasting_descendants() {
  int count = descendants();
  for (int i = 0; i < 50 && count > 1; ++i) {
    ::usleep(20'000);
    count = descendants();
  }
  return count;
}

}  // namespace tritonrl::python
