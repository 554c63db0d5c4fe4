#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "train/rank_environment.h"

namespace tritonrl::train {

// Ranks that know of one another by torch's TCPStore: where they meet, and how they learn that one is gone. A
// collective operation on GPUs waits for a rank that died without end; this ends the process instead, with a message.
class RankWatch {
 public:
  // Waits until all ranks are there. UserError where they are not after five minutes. A rank that was not heard for
  // `silence` is taken for dead.
  explicit RankWatch(const RankEnvironment& environment, std::chrono::seconds silence = std::chrono::seconds(60));
  // All ranks must have called stop() before the first one's is destroyed.
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  // What the first rank says; the others give nothing. Called by all, once.
  std::string from_first(const std::string& bytes);
  // From here on nobody is missed.
  void stop();
  // Tells all ranks that this one failed, and ends this process.
  [[noreturn]] void abandon(const std::string& why);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tritonrl::train
