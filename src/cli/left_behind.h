#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/unique_fd.h"

namespace tritonrl::cli {

// Processes of this program that stay after it, for the commands that follow. Each listens on a socket of its own.

// Forks one that listens on `path` and runs `serve` with the listening socket, then ends and takes the path away. It
// holds nothing else of the caller's: no terminal, no descriptor, no folder. Call it while there is one thread.
void leave_behind(const std::filesystem::path& path, int type, const std::string& who,
                  const std::function<void(int listener)>& serve);

// A connection to the one that listens on `path`; where there is none, `start` leaves it behind: once, also where
// several ask at the same time.
base::UniqueFd reach_left_behind(const std::filesystem::path& path, int type, const std::string& who,
                                 const std::function<void()>& start);

}  // namespace tritonrl::cli
