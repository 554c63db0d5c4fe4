#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/code.h"

namespace tritonrl::machine {

// Finds lanes of one program that exchange data through global memory though nothing orders them: warps go their own
// ways between barriers. A place that one warp stores must not be loaded, or have been loaded, by another since the
// last barrier. Operations that bring lanes together (reductions, dots, transpositions, atomics) are barriers in
// Triton.
//
// Which lanes share a warp is the compiler's business; here it is what Triton chooses where lanes follow one another in
// memory. An operation on a single element counts as one of the first warp.
class LaneOrder {
 public:
  explicit LaneOrder(int warps) : warps_(warps) {}

  // Lanes that are on and follow one another in memory.
  struct Run {
    std::int64_t offset = 0, lanes = 0;  // bytes into the allocation
    std::int64_t first = 0;              // its first lane, of so many:
    std::int64_t count = 1, size = 1;    // `size`: bytes of an element
    const Step* step = nullptr;
  };
  struct Conflict {
    std::int64_t offset = 0;
    const Step* other = nullptr;  // which stored it, or loaded it, before
  };

  // True: a conflict with what came before. Either is remembered until the next barrier.
  bool load(int allocation, const Run& run, Conflict& conflict);
  bool store(int allocation, const Run& run, Conflict& conflict);
  void barrier();

 private:
  struct PerTensor {
    std::vector<Run> loads, stores;
  };
  bool meets(const std::vector<Run>& before, const Run& run, Conflict& conflict) const;
  std::int64_t warp(const Run& run, std::int64_t offset) const;
  static void remember(std::vector<Run>& runs, const Run& run);

  int warps_ = 1;
  std::unordered_map<int, PerTensor> tensors_;
};

// Sets Step::barrier.
void mark_barriers(Code& code);

}  // namespace tritonrl::machine
