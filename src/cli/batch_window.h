#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <string>

#include "cli/batch_input.h"
#include "record/verdict.h"

namespace tritonrl::cli {

// A line on its way from the input to the output.
struct Ticket {
  std::int64_t line = 0;
  std::string id, input_hash;
  LineError error;
  std::optional<std::future<record::Verdict>> verdict;  // none: `error`
};

// The lines between the thread that reads and the one that writes. Thread-safe.
class BatchWindow {
 public:
  // In order: a line is taken when it is the first, ready or not. Else the first that is ready.
  explicit BatchWindow(bool in_order) : in_order_(in_order) {}

  // Blocks while too many wait for a slow one before them.
  void push(Ticket ticket);
  // Nothing once all is taken and the reader is done.
  std::optional<Ticket> pop();
  // To be called when a verdict came.
  void look_again();
  // No line follows.
  void end();
  // Nothing more is taken: what comes is dropped.
  void close();

 private:
  const bool in_order_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Ticket> tickets_;
  bool ended_ = false, closed_ = false;
};

}  // namespace tritonrl::cli
