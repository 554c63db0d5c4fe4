#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "machine/ir/ir.h"

namespace tritonrl::machine {

// For every value of a function: after which operation of the block that defines it is it dead? An index into that
// block's operations (uses inside nested regions count for the operation that holds them); kNever: another block of the
// same region uses it; kUnused.
struct Liveness {
  static constexpr std::int32_t kUnused = -1;
  static constexpr std::int32_t kNever = -2;
  std::vector<std::int32_t> last_use;                                           // by value
  std::map<std::pair<const Block*, std::int32_t>, std::vector<ValueId>> dying;  // by block and operation
};

Liveness liveness_of(const Function& function);

}  // namespace tritonrl::machine
