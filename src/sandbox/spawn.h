#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tritonrl::sandbox {

struct SpawnOptions {
  std::vector<std::string> command;      // a path, or a name looked up in this process's PATH
  std::vector<std::string> environment;  // "NAME=value", and nothing else
  int output = -1;                       // stdout and stderr
  int control = -1;                      // descriptor 3
  int boot = -1;                         // descriptor 4
};

// Starts the program in a session of its own, with /dev/null as stdin and no other descriptors; it is killed when the
// calling thread ends. A program that cannot be started says so on `output` and exits with 127.
pid_t spawn(const SpawnOptions& options);

}  // namespace tritonrl::sandbox
