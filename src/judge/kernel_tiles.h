#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "judge/replay.h"

namespace tritonrl::judge {

// How large the blocks are that kernels work on, and whether their edges are looked after, as Triton IR tells it.
struct KernelTiles {
  std::vector<std::int64_t> sizes;  // of all dimensions, ascending, distinct; those of a few elements left out
  bool unmasked = false;            // some block is loaded or stored without a mask or a bounds check

  void add(std::string_view ir);
};

KernelTiles tiles_of(const CompiledProgram& compiled);

}  // namespace tritonrl::judge
