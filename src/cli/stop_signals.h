#pragma once

namespace tritonrl::cli {

// While it lives, the first SIGINT or SIGTERM asks the program to stop; a second one ends it at once. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Readable once a signal came.
  int fd() const;
  // Returns once it is.
  void wait() const;
  // The signal that came, or 0.
  int received() const;
  // As if a signal of no number had come: wakes whoever waits for the descriptor.
  void stop();
};

}  // namespace tritonrl::cli
