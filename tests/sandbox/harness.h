#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/zygote.h"

namespace tritonrl::sandbox::testing {

// What a process said and how it ended.
struct Result {
  std::vector<std::string> messages;
  Exit exit;
  bool malformed = false;
  std::string log;
  double seconds = 0;

  bool said(const std::string& part) const;
};

// A Python zygote that runs what it is sent, a folder of its own on disk, and the policies to try.
class Harness {
 public:
  Harness();
  ~Harness();

  // Runs `source` under `policy`; `world` is JSON for its variable of that name.
  Result run(const Policy& policy, const std::string& source, const std::string& world = "{}");
  // Small limits, scratch in the folder of the harness, the interpreter's files readable.
  Policy policy(Level level) const;
  // Starts a job and sends it its source.
  Job start(const Policy& policy, const std::string& source, const std::string& world = "{}");

  Zygote& zygote() { return *zygote_; }
  void restart();
  // A second zygote of the same kind.
  std::unique_ptr<Zygote> another() const;
  const std::string& folder() const { return folder_; }
  // Holds what an inherited descriptor of the zygote can write to.
  std::string precious() const { return folder_ + "/precious"; }
  // Processes of this harness beside the zygote itself, after waiting a second for them to go.
  std::vector<pid_t> left_over() const;
  // Names in the scratch place.
  std::vector<std::string> scratch_left() const;

 private:
  std::string folder_, marker_;
  std::unique_ptr<Zygote> zygote_;
};

// The interpreter, and the folders that it reads.
std::string python();
std::vector<std::string> python_folders();

// Calls `condition` until it is true, for at most `milliseconds`.
bool eventually(const std::function<bool()>& condition, int milliseconds = 1000);

// The levels that this machine can give; a test of another level is skipped.
bool can(Level level);

std::string describe(const Result& result);

}  // namespace tritonrl::sandbox::testing
