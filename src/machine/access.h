#pragma once

#include <cstdint>
#include <span>

#include "machine/code.h"

namespace tritonrl::machine {

struct Allocation;

// One block access: `count` addresses of elements of `bytes` each, in row-major order of `shape`.
struct Access {
  const std::uint64_t* addresses = nullptr;
  const std::uint8_t* mask = nullptr;  // null: all lanes
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::span<const std::int64_t> shape;
};

// Where the lanes that are on fall.
struct Landing {
  int allocation = -1;  // the one that all of them fall into
  std::int64_t active = 0;
  bool contiguous = false;  // they are the first ones, and each follows the last
};

// Checks the lanes against the live tensors: bounds and alignment. False, with a fault, for a bad one; where the launch
// goes on, bad ones are turned off instead. Nowhere in particular (allocation -1) lands an access without an active
// lane, and one whose lanes fall into several allocations.
bool land(Worker& worker, const Step& step, Access& access, Landing& landing);

// Loads into out (lanes that are off get `other`, one element a lane, or zeros); stores from values.
bool load(Worker& worker, const Step& step, Access access, const void* other, void* out);
bool store(Worker& worker, const Step& step, Access access, const void* values);

}  // namespace tritonrl::machine
