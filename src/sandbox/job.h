#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  static constexpr auto kNoEarlier = std::chrono::steady_clock::time_point::max();

  // The three descriptors are this side's ends; Zygote::start makes them.
  Job(const JobOptions& options, base::UniqueFd channel, base::UniqueFd log, base::UniqueFd keeper);
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;
  ~Job();

  // Sends one message, and with its first bytes copies of `descriptors` (at most 64). False if the process is gone or
  // does not read until the deadline, or if a descriptor cannot be sent. A process whose policy names no devices cannot
  // receive descriptors: the kernel closes them.
  bool send(std::string_view message, std::span<const int> descriptors = {});
  // The next message. None once the process has closed its end, on a malformed frame and past the deadline, or past
  // `until` where that is earlier. Reads the log meanwhile, so that a process that prints much does not stop.
  std::optional<std::string> receive(std::chrono::steady_clock::time_point until = kNoEarlier);
  // All descriptors received since the last call, in order, close-on-exec. Those of a message are there once receive()
  // has returned it; those of later messages may be, too. They are the process's choice: what they are is to be
  // checked.
  std::vector<base::UniqueFd> take_descriptors();
  // The stream ended inside a frame, a frame was longer than allowed, or there were more descriptors than a message may
  // have (64), than may wait to be taken (256), or than this process may open.
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
