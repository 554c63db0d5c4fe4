#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/job.h"
#include "sandbox/policy.h"

namespace tritonrl::sandbox {

struct ZygoteOptions {
  std::vector<std::string> command;      // starts a program that serves as src/python/zygote.py does
  std::vector<std::string> environment;  // "NAME=value"; the zygote's whole environment
  std::string boot;                      // bytes that the zygote can read on descriptor 4
  // Without any sign of work; a zygote that works gets ten times as long, since a busy machine slows it down.
  std::int64_t start_timeout_ms = 60'000;
  bool background = false;  // do not wait in the constructor: the first Zygote::start does
  // Files and folders whose change makes it another. It may then be a copy of an equal one that a nursery keeps
  // (nursery.h); empty: it never is.
  std::vector<std::string> made_of = {};
  std::size_t max_message_bytes = JobOptions{}.max_message_bytes;
};

// A warm interpreter from which sandboxed processes are forked. Ends with this process, however that ends.
class Zygote {
 public:
  // Returns when the zygote serves, or at once (`background`): what is wrong with it is then told by start(). UserError
  // with what it printed if it ends before; InfrastructureError if it was killed or takes longer than allowed.
  explicit Zygote(const ZygoteOptions& options);
  // Kills the zygote. Jobs that still run are not touched.
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  // Starts a process under `policy`. Returns at once: a failure to confine it is told by Job::finish. Thread-safe.
  // InfrastructureError if the zygote is dead; the owner then makes a new one. Waits until the zygote serves.
  Job start(const Policy& policy);
  // Has it make a copy of itself, which serves whoever holds the other end of `control` and ends with that; it prints
  // to `output`. Its process; -1 if the zygote is dead. Thread-safe.
  pid_t copy(int control, int output);
  pid_t pid() const;
  // The first 64 KiB that the zygote printed. Thread-safe.
  std::string output() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::sandbox
