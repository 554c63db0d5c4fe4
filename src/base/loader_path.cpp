#include "base/loader_path.h"

#include <cstdlib>

namespace tritonrl::base {
namespace {

constexpr const char* kPath = "LD_LIBRARY_PATH";
constexpr const char* kBefore = "TRITONRL_LD_LIBRARY_PATH";  // what it was, behind a letter, since it may be empty

std::string value_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string loader_path(const std::string& folders) {
  const std::string own = value_of(kPath);
  return folders.empty() || own.empty() ? folders + own : folders + ":" + own;
}

std::vector<std::string> loader_environment(const std::string& folders) {
  const std::string path = loader_path(folders);
  return path.empty() ? std::vector<std::string>() : std::vector{std::string(kPath) + "=" + path};
}

void set_loader_path(const std::string& folders) {
  if (folders.empty()) return;
  ::setenv(kBefore, ("=" + value_of(kPath)).c_str(), 1);
  ::setenv(kPath, loader_path(folders).c_str(), 1);
}

void leave_loader_path() {
  const std::string before = value_of(kBefore);
  if (before.empty()) return;
  ::unsetenv(kBefore);
  if (before.size() == 1) {
    ::unsetenv(kPath);
  } else {
    ::setenv(kPath, before.c_str() + 1, 1);
  }
}

}  // namespace tritonrl::base
