#pragma once

#include <string>

#include "base/unique_fd.h"

namespace tritonrl::runner {

// What the processes of this machine that use one GPU agree on: any number may compute, but who measures time is alone.
// A lock on a file that is named after the GPU; the system gives it back when a process ends.
class GpuLock {
 public:
  enum class Kind { kShared, kAlone };

  // `gpu`: the same for the same GPU in every process. UserError if the file cannot be made.
  explicit GpuLock(const std::string& gpu);

  // Held until it is destroyed. Waits for the others. One at a time.
  class Held {
   public:
    Held(const GpuLock& lock, Kind kind);
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    // From now on the other kind; the lock may be free for a moment.
    void become(Kind kind);

   private:
    int file_;
  };

 private:
  base::UniqueFd file_;
};

}  // namespace tritonrl::runner
