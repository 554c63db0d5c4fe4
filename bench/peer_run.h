#pragma once

#include <stdlib.h>
#include <time.h>

#include <filesystem>
#include <stdexcept>
#include <string>

// What benchmarks against another program share.
namespace tritonrl::bench {

[[noreturn]] inline void give_up(const std::string& message) {
  throw std::runtime_error(message);
}

// Of this process, all threads: what a busy machine does not stretch.
inline double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A folder that disappears with the object.
struct TemporaryFolder {
  std::filesystem::path path;
  explicit TemporaryFolder(const std::string& subject) {
    std::string name = (std::filesystem::temp_directory_path() / (subject + ".XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) give_up("cannot make a temporary folder");
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

}  // namespace tritonrl::bench
