#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "sandbox/exit.h"

namespace tritonrl::sandbox {

struct JobOptions {
  std::int64_t wall_ms = 30'000;                           // the policy's; this side gives up five seconds later
  std::size_t max_message_bytes = std::size_t{256} << 20;  // of one received message
  std::size_t max_log_bytes = std::size_t{64} << 10;       // kept of what the process prints
};

// One sandboxed process, seen from outside. For one thread at a time. The destructor is finish().
class Job {
 public:
  // The three descriptors are this side's ends; Zygote::start makes them.
  Job(const JobOptions& options, base::UniqueFd channel, base::UniqueFd log, base::UniqueFd keeper);
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;
  ~Job();

  // Sends one message. False if the process is gone or does not read until the deadline.
  bool send(std::string_view message);
  // The next message. None once the process has closed its end, on a malformed frame and past the deadline.
  // Reads the log meanwhile, so that a process that prints much does not stop.
  std::optional<std::string> receive();
  // The stream ended inside a frame, or a frame was longer than allowed.
  bool malformed() const;
  // Cancels what still runs, waits until nothing of it is left (at most ten seconds) and says how it ended. A process
  // whose end of the channel is closed gets 200 ms to end by itself. The second call returns the same.
  Exit finish();
  // The first bytes that it printed; complete after finish().
  const std::string& log() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::sandbox
